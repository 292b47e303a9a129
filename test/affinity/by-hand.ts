import { kindBit, noKinds } from "#dist/text/identifiers/kinds.js"
import { detectKinds } from "#dist/text/identifiers/registry.js"
import type { Search } from "../support/aol-log.ts"

/** The options of `anonymize affinity`, as numbers. The rest is computed here. */
export interface HandOptions {
  k: number
  theta: number
  minConceptUsers: number
  minTermUsers: number
  functionWords: readonly string[]
  tokens: "words" | "segmenter"
  /** Leave out queries with an e-mail address, and rare ones with a name. */
  scrubsMail: boolean
  scrubsNames: boolean
}

interface HandConcept {
  n: number
  count: number
  users: number
  weight: number
}

export interface HandDegree {
  users: number
  degree: number
  state: string
}

/** k_θ-affinity from its definitions, with strings, Maps and Sets, all pairs, and repeated deletion. */
export function affinityByHand(searches: readonly Search[], options: HandOptions) {
  const rows = searches
    .map((row) => ({ ...row, query: row.query.toLowerCase() }))
    .filter(({ query }) => !(options.scrubsMail && query.includes("@")))
  const usersOf = new Map<string, Set<string>>()
  for (const { query, user } of rows) usersOf.set(query, (usersOf.get(query) ?? new Set<string>()).add(user))
  const queries = [...usersOf.keys()]
  const wordsOf = new Map(queries.map((query) => [query, cut(query, options.tokens)]))
  const words = (query: string) => wordsOf.get(query) ?? []
  const { concepts, termUsers } = findConcepts(rows, words, options)

  const vectors = new Map<string, Map<string, number>>()
  const states = new Map<string, string>()
  for (const query of queries) {
    const own = [1, 2, 3].flatMap((n) => gramsOf(words(query), n)).filter((gram) => concepts.has(gram))
    const rare = words(query).some((word) => (termUsers.get(word)?.size ?? 0) < options.minTermUsers)
    states.set(query, own.length === 0 ? "plain" : rare ? "excluded" : "expanded")
    vectors.set(query, new Map(own.map((gram) => [gram, concepts.get(gram)?.weight ?? 0])))
  }
  const expanded = queries.filter((query) => states.get(query) === "expanded")
  const near = new Map(
    expanded.map((query) => [
      query,
      expanded.filter((other) => cosineOf(vectors.get(query), vectors.get(other)) >= options.theta - 1e-12),
    ]),
  )
  /** The largest set of these queries whose members all have k users around them. */
  const core = (among: readonly string[], k: number): Set<string> => {
    const left = new Set(among)
    for (let before = -1; before !== left.size; ) {
      before = left.size
      for (const query of left) {
        const around = (near.get(query) ?? []).filter((other) => left.has(other))
        if (new Set(around.flatMap((other) => [...(usersOf.get(other) ?? [])])).size < k) left.delete(query)
      }
    }
    return left
  }
  const people = new Set(rows.map(({ user }) => user)).size
  const degrees = new Map<string, HandDegree>()
  for (const query of queries) {
    const users = usersOf.get(query)?.size ?? 0
    degrees.set(query, { users, degree: states.get(query) === "expanded" ? 0 : users, state: states.get(query) ?? "" })
  }
  for (let k = 1; k <= people; k++) {
    for (const query of core(expanded, k)) (degrees.get(query) as HandDegree).degree = k
  }
  const isNamed = (query: string) =>
    options.scrubsNames &&
    (usersOf.get(query)?.size ?? 0) < options.k &&
    detectKinds(query, kindBit("person")) !== noKinds
  const alone = queries.filter((query) => states.get(query) !== "expanded" && !isNamed(query))
  const released = new Set([
    ...alone.filter((query) => (usersOf.get(query)?.size ?? 0) >= options.k),
    ...core(
      expanded.filter((query) => !isNamed(query)),
      options.k,
    ),
  ])
  return { released, degrees, concepts, near, vectors }
}

function cut(query: string, tokens: "words" | "segmenter"): string[] {
  const words = query.split(" ")
  if (tokens === "words") return words
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })
  return words.flatMap((word) =>
    /\p{Script=Han}/u.test(word)
      ? [...segmenter.segment(word)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
      : [word],
  )
}

const gramsOf = (words: readonly string[], n: number) =>
  words.flatMap((_, i) => (i + n <= words.length ? [words.slice(i, i + n).join(" ")] : []))

/** The n-grams of enough users that do not consist of function words only, weighted by eq. 1, 2 and 3. */
function findConcepts(rows: readonly Search[], words: (query: string) => string[], options: HandOptions) {
  const events = new Set(rows.map(({ user, query, time }) => [user, query, time].join("\t")))
  const count = new Map<string, number>()
  const containing = new Map<string, number>()
  const users = new Map<string, Set<string>>()
  const total = [0, 0, 0]
  for (const event of events) {
    const [user, query] = event.split("\t")
    for (const n of [1, 2, 3]) {
      const grams = gramsOf(words(query), n)
      total[n - 1] += grams.length
      for (const gram of grams) count.set(gram, (count.get(gram) ?? 0) + 1)
      for (const gram of new Set(grams)) {
        containing.set(gram, (containing.get(gram) ?? 0) + 1)
        users.set(gram, (users.get(gram) ?? new Set<string>()).add(user))
      }
    }
  }
  const share = (gram: string) => (count.get(gram) ?? 0) / total[gram.split(" ").length - 1]
  const weigh = (gram: string) => {
    const [x, y, z] = gram.split(" ")
    if (y === undefined) return Math.log2((containing.get(x) ?? 0) + 1)
    if (z === undefined) return Math.log2(share(gram) / (share(x) * share(y)) + 1)
    const apart = share(x) * share(y) * share(z) + share(x) * share(`${y} ${z}`) + share(`${x} ${y}`) * share(z)
    return Math.log2(share(gram) / apart + 1)
  }
  const concepts = new Map<string, HandConcept>()
  for (const [gram, who] of users) {
    const parts = gram.split(" ")
    if (who.size < options.minConceptUsers || parts.every((word) => options.functionWords.includes(word))) continue
    concepts.set(gram, { n: parts.length, count: count.get(gram) ?? 0, users: who.size, weight: weigh(gram) })
  }
  return { concepts, termUsers: users }
}

function cosineOf(a = new Map<string, number>(), b = new Map<string, number>()): number {
  let dot = 0
  for (const [concept, weight] of a) dot += weight * (b.get(concept) ?? 0)
  return dot / (Math.hypot(...a.values()) * Math.hypot(...b.values()))
}
