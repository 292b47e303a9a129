import { firstAtLeast } from "../kernels/search-sorted.ts"
import type { SearchLog } from "../log/search-log.ts"
import { countQueries } from "../log/statistics.ts"
import type { TokenisedQueries } from "../text/tokens.ts"

/** N-grams of one length, counted by the verifier by sorting keys. The method uses a hash table instead. */
interface SortedNgrams {
  /** By token: the n-gram that starts there, or -1. */
  at: Int32Array
  size: number
  occurrences: Float64Array
  /** Events with the n-gram, each counted once. */
  events: Float64Array
  users: Uint32Array
}

/** Concepts of queries, counted without the method's kernels: the concepts of each query, with their weights. */
export interface CountedConcepts {
  /** By word: its distinct users. */
  wordUsers: Uint32Array
  /** For n = 1, 2, 3, by token: its concept, or -1. The numbering runs over all lengths. */
  conceptAt: Int32Array[]
  weight: Float64Array
}

/** Carpineto & Romano 2015, §3.1: finds the n-grams that are concepts, and weighs them by eq. 1 to 3. */
export function countConcepts(
  log: SearchLog,
  { words, offsets, tokens }: TokenisedQueries,
  options: { minConceptUsers: number; functionWords: ReadonlySet<string> },
): CountedConcepts {
  const { events } = countQueries(log)
  const isFunction = Uint8Array.from({ length: words.size }, (_, word) =>
    options.functionWords.has(words.text(word)) ? 1 : 0,
  )
  const grams: SortedNgrams[] = []
  for (const n of [1, 2, 3]) {
    const shorter = grams.at(-1)
    const at = numberBySorting(offsets, n, (token) =>
      shorter === undefined ? tokens[token] : shorter.at[token] * words.size + tokens[token + n - 1],
    )
    grams.push(tally(log, { offsets, at, events }))
  }
  const weight: number[] = []
  const conceptAt = grams.map((gram, i) => {
    const concept = new Int32Array(gram.size).fill(-2) // -2: not seen yet
    return gram.at.map((id, token) => {
      if (id < 0) return -1
      if (concept[id] === -2) {
        const content = Array.from({ length: i + 1 }, (_, j) => isFunction[tokens[token + j]]).includes(0)
        const counts = gram.users[id] >= options.minConceptUsers && content
        concept[id] = counts ? weight.push(weigh(grams, i, token)) - 1 : -1
      }
      return concept[id]
    })
  })
  return { wordUsers: usersByWord(grams[0], tokens, words.size), conceptAt, weight: Float64Array.from(weight) }
}

/** Gives equal keys the same number, in the order of the keys. */
function numberBySorting(offsets: Uint32Array, n: number, keyOf: (token: number) => number): Int32Array {
  const length = offsets[offsets.length - 1]
  const keys = new Float64Array(length).fill(-1)
  for (let query = 0; query + 1 < offsets.length; query++) {
    for (let token = offsets[query]; token + n <= offsets[query + 1]; token++) keys[token] = keyOf(token)
  }
  const sorted = keys.slice().sort()
  let size = 0
  for (let i = 0; i < length; i++) {
    if (sorted[i] < 0 || (i > 0 && sorted[i] === sorted[i - 1])) continue
    sorted[size++] = sorted[i]
  }
  return Int32Array.from(keys, (key) => (key < 0 ? -1 : firstAtLeast(sorted, key, { to: size })))
}

/** Counts occurrences and events by query, and users by walking through every user's queries. */
function tally(
  log: SearchLog,
  { offsets, at, events }: { offsets: Uint32Array; at: Int32Array; events: Uint32Array },
): SortedNgrams {
  const size = at.reduce((most, id) => Math.max(most, id), -1) + 1
  const result = {
    at,
    size,
    occurrences: new Float64Array(size),
    events: new Float64Array(size),
    users: new Uint32Array(size),
  }
  const lastQuery = new Int32Array(size).fill(-1)
  for (let query = 0; query + 1 < offsets.length; query++) {
    for (let token = offsets[query]; token < offsets[query + 1]; token++) {
      const id = at[token]
      if (id < 0) continue
      result.occurrences[id] += events[query]
      if (lastQuery[id] !== query) result.events[id] += events[query]
      lastQuery[id] = query
    }
  }
  const lastUser = new Int32Array(size).fill(-1)
  for (let row = 0; row < log.rows; row++) {
    const query = log.query[row]
    for (let token = offsets[query]; token < offsets[query + 1]; token++) {
      const id = at[token]
      if (id < 0 || lastUser[id] === log.user[row]) continue
      lastUser[id] = log.user[row]
      result.users[id]++
    }
  }
  return result
}

/** Eq. 1, 2 or 3 for the n-gram of i + 1 words that starts at a token. */
function weigh(grams: readonly SortedNgrams[], i: number, token: number): number {
  const share = (n: number, at: number) => {
    const { occurrences } = grams[n - 1]
    return occurrences[grams[n - 1].at[at]] / totalOf(grams[n - 1])
  }
  if (i === 0) return Math.log2(grams[0].events[grams[0].at[token]] + 1)
  if (i === 1) return Math.log2(share(2, token) / (share(1, token) * share(1, token + 1)) + 1)
  const apart =
    share(1, token) * share(1, token + 1) * share(1, token + 2) +
    share(1, token) * share(2, token + 1) +
    share(2, token) * share(1, token + 2)
  return Math.log2(share(3, token) / apart + 1)
}

const totals = new WeakMap<SortedNgrams, number>()
function totalOf(grams: SortedNgrams): number {
  const known = totals.get(grams)
  if (known !== undefined) return known
  const total = grams.occurrences.reduce((sum, count) => sum + count, 0)
  totals.set(grams, total)
  return total
}

function usersByWord({ at, users }: SortedNgrams, tokens: Int32Array, words: number): Uint32Array {
  const byWord = new Uint32Array(words)
  for (let token = 0; token < tokens.length; token++) byWord[tokens[token]] = users[at[token]]
  return byWord
}
