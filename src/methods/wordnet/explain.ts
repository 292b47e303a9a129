import type { RunContext } from "../../kernels/context.ts"
import { type Table, tableOf } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { conceptLabel } from "../../wordnet/concept-label.ts"
import { type Change, type Explanation, inAnotherForm, moreUsers, notReleased, priceOfK } from "../explanation.ts"
import type { WordnetOptions } from "./options.ts"
import { generaliseQueries, type PlacedQueries, placeQueries } from "./place-queries.ts"

/** How many smaller values of k are tried, one by one, for a more specific concept. */
const mostTries = 16

const never = "The text itself is never released: a concept stands for it."

/** The concept to which a query is generalised, and why not to a more specific one. No chance is involved. */
export async function explainWordnet(
  log: SearchLog,
  query: number,
  options: WordnetOptions,
  context: RunContext,
): Promise<Explanation> {
  const { k, counts } = options
  const placed = await placeQueries(log, options, context)
  const concept = generaliseQueries(placed, options)
  const noun = counts === "users" ? `${log.unit}s` : "distinct queries"
  const all = new Set(placed.items.user.filter((user) => user >= 0)).size
  if (concept[query] < 0) {
    const byUsers: Change = { ...inAnotherForm, options: {}, users: k - all, smallest: true, price: moreUsers }
    return {
      ...notReleased,
      reasons: [never, `The whole log has ${all} ${noun}, fewer than k = ${k}: nothing is released.`],
      facts: { k, [noun]: all },
      changes: [
        ...(all > 0 ? [{ ...inAnotherForm, options: { k: all }, smallest: true, price: priceOfK(all) }] : []),
        ...(counts === "users" ? [byUsers] : []),
      ],
      tables: {},
    }
  }
  const chain = chainBetween(placed, placed.home[query], concept[query])
  const passing = countPassing(log, { placed, concept, chain }, options)
  const levels = describeLevels(placed, chain, { passing, noun })
  const facts = describeConcepts(placed, query, { shown: concept[query], standing: passing.at(-1) ?? 0, noun })
  const most = Math.max(0, ...passing.slice(0, -1))
  return {
    ...inAnotherForm,
    reasons: [never, ...reasonsOf(facts, { chain, placed, query, noun, options })],
    facts: { ...facts, k },
    changes: [
      ...findDeeper({ query, placed, most, shown: concept[query] }, options),
      {
        ...notReleased,
        options: { k: all + 1 },
        smallest: true,
        price: "Nothing of the log is released any more.",
      },
    ],
    tables: { Levels: levels },
  }
}

/** The chain from one concept up to another, which is the same or an ancestor. */
function chainBetween({ tree }: PlacedQueries, from: number, to: number): number[] {
  const chain = [from]
  for (let at = from; at !== to && tree.parent[at] >= 0; ) {
    at = tree.parent[at]
    chain.push(at)
  }
  return chain
}

const levelOf = ({ tree }: PlacedQueries, synset: number): number => {
  let level = 1
  for (let at = synset; tree.parent[at] >= 0; at = tree.parent[at]) level++
  return level
}

/**
 * By concept of the chain: the users (or distinct queries) of the searches that had remained there, its own and those
 * from below, when it was decided. With `greedy`, all searches at or below it count, since a part that is split off
 * takes all of them.
 */
function countPassing(
  log: SearchLog,
  { placed, concept, chain }: { placed: PlacedQueries; concept: Int32Array; chain: readonly number[] },
  { split, counts }: WordnetOptions,
): number[] {
  const placeOf = new Map(chain.map((synset, place) => [synset, place]))
  const entered = new Map<number, number>() // by synset: the first place of the chain at or above it; -1 if none
  const enter = (synset: number): number => {
    const known = placeOf.get(synset) ?? entered.get(synset)
    if (known !== undefined) return known
    const above = placed.tree.parent[synset]
    const place = above < 0 ? -1 : enter(above)
    entered.set(synset, place)
    return place
  }
  const counted = chain.map(() => 0)
  const last = chain.map(() => -1)
  const seen = new Uint8Array(log.queries.size)
  for (let row = 0; row < log.rows; row++) {
    const query = log.query[row]
    if (counts === "queries" && seen[query] === 1) continue
    seen[query] = 1
    const from = enter(placed.home[query])
    const to = split === "greedy" ? chain.length - 1 : (placeOf.get(concept[query]) ?? -1)
    const who = counts === "queries" ? query : log.user[row]
    for (let place = from; place >= 0 && place <= to; place++) {
      if (last[place] !== who && who >= 0) counted[place]++
      last[place] = who
    }
  }
  return counted
}

function describeLevels(
  placed: PlacedQueries,
  chain: readonly number[],
  { passing, noun }: { passing: readonly number[]; noun: string },
): Table {
  const top = levelOf(placed, chain.at(-1) ?? 0)
  const rows = chain.map((synset, place) => {
    return [conceptLabel(placed.wordnet, synset), top + chain.length - 1 - place, passing[place]]
  })
  return tableOf(["concept", "level", noun], rows)
}

interface ConceptFacts {
  [name: string]: string | number
  "own concept": string
  "own level": number
  "released concept": string
  "released level": number
}

function describeConcepts(
  placed: PlacedQueries,
  query: number,
  { shown, standing, noun }: { shown: number; standing: number; noun: string },
): ConceptFacts {
  return {
    "own concept": conceptLabel(placed.wordnet, placed.home[query]),
    "own level": levelOf(placed, placed.home[query]),
    "released concept": conceptLabel(placed.wordnet, shown),
    "released level": levelOf(placed, shown),
    [`${noun} of the released concept`]: standing,
  }
}

function reasonsOf(
  facts: ConceptFacts,
  options: {
    chain: readonly number[]
    placed: PlacedQueries
    query: number
    noun: string
    options: WordnetOptions
  },
): string[] {
  const { chain, placed, query, noun } = options
  const { k, split } = options.options
  const own = `${facts["own concept"]} (level ${facts["own level"]}; 1 is the top)`
  const found =
    placed.chosen.concept[query] < 0
      ? `WordNet has no noun in it, so it is at the top: ${own}.`
      : `Its own concept is ${own}.`
  if (chain.length === 1) return [found, `It has at least ${k} ${noun} there, so it is shown as that.`]
  const why =
    split === "greedy"
      ? `No split below ${facts["released concept"]} that contains it left ${k} ${noun} on both sides.`
      : [
          `Below ${facts["released concept"]} too few ${noun} were left for k = ${k},`,
          "or what was left at the top had to join it.",
        ].join(" ")
  return [found, `It is released as ${facts["released concept"]} (level ${facts["released level"]}). ${why}`]
}

/**
 * The largest smaller k at which the query is shown as a deeper concept. `most` is the largest count below the present
 * concept. No k above `most` works, because a smaller k leaves no more searches at any concept. So this is the smallest
 * change.
 */
function findDeeper(
  { query, placed, most, shown }: { query: number; placed: PlacedQueries; most: number; shown: number },
  options: WordnetOptions,
): Change[] {
  const level = levelOf(placed, shown)
  const top = Math.min(options.k - 1, options.split === "greedy" ? options.k - 1 : most)
  for (let k = top; k >= Math.max(1, top - mostTries + 1); k--) {
    const deeper = generaliseQueries(placed, { ...options, k })[query]
    if (deeper < 0 || levelOf(placed, deeper) <= level) continue
    const price = [
      `It is then shown as ${conceptLabel(placed.wordnet, deeper)} (level ${levelOf(placed, deeper)}).`,
      priceOfK(k),
    ].join(" ")
    return [{ ...inAnotherForm, options: { k }, smallest: true, price }]
  }
  return []
}
