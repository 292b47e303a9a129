import type { SearchLog } from "../../log/search-log.ts"
import { formatKinds, kindBit, parseKinds } from "../../text/identifiers/kinds.ts"
import { type Change, moreUsers, notReleased, priceOfK, released } from "../explanation.ts"
import { usersOfVectors } from "./affinity-graph.ts"
import { growSurroundings, openNeighbours, peelSurroundings } from "./approximate.ts"
import { type ExactChoice, type SettledOptions, selectQueries } from "./choose-queries.ts"
import { type ExpandedQueries, expandQueries, queryStates } from "./expand-queries.ts"
import { type AffinityOptions, affinityParameters, defaultVmax } from "./options.ts"

type Chosen = ExactChoice & { query: number }
/** `given` has the options as given, before the defaults that follow from the log. */
type Settled = SettledOptions & { given: AffinityOptions }

const similar = "More queries count as similar: some of them mean something else, and protect less than they seem to."
const unscrubbed = "Other queries of few users that name a person may be released too."
const rareWords = "Queries with a word of so few users may be released: such a word can point to a person."

/** A query of k users is released, whatever the options. So it is released at any k that its own users reach. */
export function changeOwnUsers({ users, k }: { users: number; k: number }): Change[] {
  if (users >= k) return []
  return [
    ...(users > 0 ? [{ ...released, options: { k: users }, smallest: false, price: priceOfK(users) }] : []),
    { ...released, options: {}, users: k - users, smallest: false, price: moreUsers },
  ]
}

/**
 * Changes of the exact mode. If concepts follow from k, another k would change them too. The options then fix the
 * present concepts, so that a smaller k releases no less: degrees are the same, and fewer names are left out.
 */
export function changeExactly(log: SearchLog, chosen: Chosen, options: Settled): Change[] {
  const { query, named, degrees, built } = chosen
  const { k, scrub = "none" } = options
  const users = built.counts.users[query]
  if (chosen.released[query] === 1) return [withhold(log, chosen, options)]
  const own = changeOwnUsers({ users, k })
  if (named[query] === 1) {
    // Without the kind `person` no name is left out, so the degree alone decides.
    const without = { scrub: formatKinds(parseKinds(scrub) & ~kindBit("person")) }
    const degree = Math.min(k, degrees[query])
    const kept = degree < k ? { k: degree, ...keepConcepts(log, degree, options) } : {}
    const change = { ...released, options: { ...without, ...kept }, smallest: true, price: unscrubbed }
    // At any k above its own users it is still left out for its name.
    return [...(degree > users ? [change] : []), ...own.map((one) => ({ ...one, smallest: one.users === undefined }))]
  }
  const best = largestK(log, chosen, options)
  const kept = keepConcepts(log, best, options)
  const isPlain = Object.keys(kept).length === 0
  const byK = { ...released, options: { k: best, ...kept }, smallest: true, price: priceOfK(best) }
  return [
    ...(best > users || isPlain ? [byK] : []),
    ...own.filter(({ options: set }) => !(isPlain && set.k === best)),
    ...lowerTheta(log, chosen, options),
    ...admitWords(log, chosen, options),
  ]
}

/** Options that fix the present concepts; empty if this k would give the same ones. */
function keepConcepts(log: SearchLog, k: number, options: Settled): Change["options"] {
  const { minConceptUsers, minTermUsers } = options
  const other = affinityParameters({ ...options.given, k }, log)
  const isSame = other.minConceptUsers === minConceptUsers && other.minTermUsers === minTermUsers
  return isSame ? {} : { minConceptUsers, minTermUsers }
}

/**
 * The largest k at which the query is released with its present concepts: below the present k, at least its own users.
 */
function largestK(log: SearchLog, { query, built, degrees, persons }: Chosen, { k }: SettledOptions): number {
  const isReleased = (at: number) => selectQueries(log, built, { k: at, persons }).released[query] === 1
  let [low, high] = [Math.max(1, built.counts.users[query]), Math.min(k - 1, degrees[query])]
  if (!persons.includes(1)) return Math.max(low, high)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isReleased(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The smallest larger k that withholds the query, with the present concepts. */
function withhold(log: SearchLog, chosen: Chosen, options: Settled): Change {
  const { query, built, degrees, persons } = chosen
  const isReleased = (at: number) => selectQueries(log, built, { k: at, persons }).released[query] === 1
  let [low, high] = [options.k + 1, degrees[query] + 1]
  while (persons.includes(1) && low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isReleased(middle)) low = middle + 1
    else high = middle
  }
  const price = "Nothing: the promise becomes stronger, and less is released."
  const kept = keepConcepts(log, high, options)
  return { ...notReleased, options: { k: high, ...kept }, smallest: true, price }
}

/** How far below the present θ is tried. */
const lowerBy = [0.05, 0.1, 0.2, 0.3]
const leastTheta = 0.05

/** A smaller θ that is enough. Only the surroundings are examined, so a larger θ may be enough too. */
function lowerTheta(log: SearchLog, { query, built, named }: Chosen, { k, theta }: SettledOptions): Change[] {
  const { expanded } = built
  if (expanded.vectorOf[query] < 0) return []
  for (const by of lowerBy) {
    const lower = Number((theta - by).toFixed(4))
    if (lower < leastTheta) break
    if (reaches(log, { query, expanded, named }, { k, theta: lower }))
      return [{ ...released, options: { theta: lower }, smallest: false, price: similar }]
  }
  return []
}

/**
 * For a query with a word of too few users: lowers the required users to those of its rarest word, if that is enough.
 */
function admitWords(log: SearchLog, { query, built, named }: Chosen, { k, theta }: SettledOptions): Change[] {
  const { expanded, tokens, concepts } = built
  if (queryStates[expanded.state[query]] !== "excluded") return []
  let minTermUsers = Number.POSITIVE_INFINITY
  for (let token = tokens.offsets[query]; token < tokens.offsets[query + 1]; token++)
    minTermUsers = Math.min(minTermUsers, concepts.ngrams[0].users[tokens.tokens[token]])
  if (minTermUsers < 1) return []
  const wider = expandQueries(tokens, concepts, { minTermUsers })
  if (!reaches(log, { query, expanded: wider, named }, { k, theta })) return []
  return [{ ...released, options: { minTermUsers }, smallest: true, price: rareWords }]
}

/** True if the queries around a query, without those left out for a name, reach k. */
function reaches(
  log: SearchLog,
  { query, expanded, named }: { query: number; expanded: ExpandedQueries; named: Uint8Array },
  { k, theta }: { k: number; theta: number },
): boolean {
  const around = growSurroundings(openNeighbours(expanded.vectors, { theta }), expanded.vectorOf[query], {
    vmax: defaultVmax,
  })
  return peelSurroundings(around, usersOfVectors(log, expanded, named))[0] >= k
}
