import type { RandomSource } from "../kernels/random.ts"
import type { SearchLog } from "../log/search-log.ts"
import { countQueries } from "../log/statistics.ts"
import { betas, fBeta, judgeRelease, type Retrieval } from "./f-beta.ts"
import { judgements } from "./judge-queries.ts"
import { sharesOfUsers } from "./kept-per-user.ts"
import { shareKept, wordsOfQueries } from "./ncp.ts"
import { quantile } from "./quantile.ts"

/** The input of curves over k: for each k, the queries of at least that degree are released. */
export interface DegreeCurves {
  log: SearchLog
  /** The degree of each query. */
  degrees: Uint32Array
  ks: readonly number[]
}

const mark = (degrees: Uint32Array, k: number) => Uint8Array.from(degrees, (degree) => (degree >= k ? 1 : 0))

/** The released shares of the distinct queries and of the events. */
export function keptByK({ log, degrees, ks }: DegreeCurves): { k: number; queries: number; events: number }[] {
  const { events } = countQueries(log)
  return ks.map((k) => {
    const sum = { all: 0, kept: 0, keptEvents: 0 }
    for (let query = 0; query < degrees.length; query++) {
      if (events[query] === 0) continue
      sum.all++
      if (degrees[query] < k) continue
      sum.kept++
      sum.keptEvents += events[query]
    }
    return { k, queries: sum.kept / Math.max(1, sum.all), events: sum.keptEvents / Math.max(1, log.events) }
  })
}

/** Quartiles over the users of the released shares of their own queries and events. */
export function keptPerUserByK({ log, degrees, ks }: DegreeCurves) {
  return ks.map((k) => {
    const { queries, events } = sharesOfUsers(log, mark(degrees, k))
    const quartiles = (shares: Float64Array) => [0.25, 0.5, 0.75].map((p) => quantile(shares, p))
    return { k, queries: quartiles(queries), events: quartiles(events) }
  })
}

/** The released share of one user's distinct queries; 0 for a user who is not in the log. */
export function keptOfUser({ log, degrees, ks }: DegreeCurves, name: string): { k: number; share: number }[] {
  const queries = queriesOfUser(log, name)
  return ks.map((k) => ({
    k,
    share: queries.filter((query) => degrees[query] >= k).length / Math.max(1, queries.length),
  }))
}

/** The distinct queries of one user, in order of their first search. */
export function queriesOfUser(log: SearchLog, name: string): number[] {
  const user = log.users.find(name)
  const found = new Set<number>()
  for (let row = 0; user >= 0 && row < log.rows; row++) if (log.user[row] === user) found.add(log.query[row])
  return [...found]
}

export interface SampledShare {
  k: number
  mean: number
  /** Standard deviation over the samples. */
  deviation: number
}

/**
 * The released share of distinct queries, estimated from random samples that are drawn without replacement. Carpineto &
 * Romano 2015, §4.1, use ten samples of 5,000.
 */
export function sampledByK(
  { log, degrees, ks }: DegreeCurves,
  options: { samples: number; size: number; random: RandomSource },
): SampledShare[] {
  const { samples, random } = options
  const { events } = countQueries(log)
  const all = Uint32Array.from(events.keys()).filter((query) => events[query] > 0)
  const size = Math.min(options.size, all.length)
  const shares = ks.map(() => new Float64Array(samples))
  for (let sample = 0; sample < samples; sample++) {
    // The first steps of a Fisher–Yates shuffle: the sample is at the front.
    for (let i = 0; i < size; i++) {
      const j = i + random.below(all.length - i)
      const held = all[i]
      all[i] = all[j]
      all[j] = held
    }
    ks.forEach((k, at) => {
      let kept = 0
      for (let i = 0; i < size; i++) if (degrees[all[i]] >= k) kept++
      shares[at][sample] = kept / Math.max(1, size)
    })
  }
  return ks.map((k, at) => ({ k, ...meanOf(shares[at]) }))
}

/**
 * For each k of plain k-anonymity, the largest k at which these degrees release as many queries: Carpineto & Romano
 * 2015, §5. `own` holds the number of users of each query. 0 if equality releases nothing.
 */
export function matchEquality(
  { degrees, ks }: Pick<DegreeCurves, "degrees" | "ks">,
  own: Uint32Array,
): { k: number; queries: number; matching: number }[] {
  const sorted = degrees.slice().sort().reverse()
  return ks.map((k) => {
    const queries = own.reduce((sum, users) => (users >= k ? sum + 1 : sum), 0)
    return { k, queries, matching: queries === 0 ? 0 : sorted[queries - 1] }
  })
}

function meanOf(values: Float64Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) }
}

/**
 * F_β of releasing the safe queries. Values of k that release no judged query are left out, as in the paper's Fig. 6.
 */
export function retrievalByK({ degrees, ks }: DegreeCurves, judged: Uint8Array) {
  return ks.flatMap((k) => {
    const found: Retrieval | undefined = judgeRelease(mark(degrees, k), judged)
    return found === undefined ? [] : [{ k, ...found, f: betas.map((beta) => fBeta(found, beta)) }]
  })
}

/** The number of sensitive queries that are released. */
export function sensitiveByK({ degrees, ks }: DegreeCurves, judged: Uint8Array) {
  const sensitive = degrees.filter((_, query) => judged[query] === judgements.sensitive)
  return ks.map((k) => ({ k, released: sensitive.filter((degree) => degree >= k).length, n: sensitive.length }))
}

/** Normalised certainty penalty: the words of queries that are not released are lost. */
export function ncpByK({ log, degrees, ks }: DegreeCurves): { k: number; ncp: number }[] {
  const words = wordsOfQueries(log)
  const { events } = countQueries(log)
  return ks.map((k) => {
    const kept = words.map((count, query) => (degrees[query] >= k ? count : 0))
    return { k, ncp: 1 - shareKept({ words, kept, events }) }
  })
}
