import { laplaceUpperTail } from "../../kernels/noise/laplace-distribution.ts"
import { approximate } from "../../kernels/noise/rational.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { KeyCounts } from "./bound-users.ts"
import type { Mechanism } from "./plan-mechanisms.ts"
import { findInLog, type Pool } from "./pool.ts"

/** Counts the keys of a table in the way of a mode. */
export interface KeySource {
  queries(mechanism: Mechanism): Promise<{ users: Uint32Array; total: Float64Array }>
  pairs(mechanism: Mechanism, among: Uint8Array): Promise<KeyCounts>
}

/** Means over the noise: keys shown, events of the log that they cover, and shown keys that nobody has. */
export interface ExpectedShown {
  keys: number
  events: number
  nobodys: number
}

/** Chances that queries are shown: those of the log, by id, and those of the pool that are not in the log. */
export interface QueryChances {
  ofLog: Float64Array<ArrayBuffer>
  others: Float64Array<ArrayBuffer>
}

/** Expected result for queries. `raw` has the number of all events of each query. */
export function expectQueries(
  log: SearchLog,
  mechanism: Mechanism,
  given: { counts: { users: Uint32Array; total: Float64Array }; raw: Float64Array; pool: Pool },
): ExpectedShown & { chances: QueryChances } {
  const { counts, raw, pool } = given
  const added = new Float64Array(log.queries.size).fill(-1)
  const others: number[] = []
  for (const [text, query] of findInLog(pool, log.queries).entries()) {
    const frequency = pool.frequencies?.[text] ?? 0
    if (query >= 0) added[query] = frequency
    else others.push(chanceOf(mechanism, { users: 0, total: frequency, isPublic: true }))
  }
  const ofLog = Float64Array.from(counts.users, (users, query) => {
    const isPublic = added[query] >= 0
    if (mechanism.keys === "public" && !isPublic) return 0
    return chanceOf(mechanism, { users, total: counts.total[query] + Math.max(0, added[query]), isPublic })
  })
  const sum = others.reduce((all, chance) => all + chance, 0)
  const shown: ExpectedShown = { keys: sum, events: 0, nobodys: sum }
  for (const [query, chance] of ofLog.entries()) {
    shown.keys += chance
    shown.events += chance * raw[query]
    if (raw[query] === 0) shown.nobodys += chance
  }
  return { ...shown, chances: { ofLog, others: Float64Array.from(others) } }
}

/**
 * Expected result for clicks or transitions. A pair is shown if its queries are shown and its own noisy count reaches
 * the threshold. If pairs are public, every pair gets noise, including those that nobody has.
 */
export function expectPairs(
  log: SearchLog,
  mechanism: Mechanism,
  given: { counts: KeyCounts; rawOf: (a: number, b: number) => number; chances: QueryChances; urls: Pool },
): ExpectedShown {
  const { counts, rawOf, chances, urls } = given
  const isClicks = mechanism.table === "clicks"
  const isPublic = mechanism.keys === "public"
  const isListed = new Uint8Array(log.urls.size)
  for (const url of findInLog(urls, log.urls)) if (url >= 0) isListed[url] = 1
  const shown: ExpectedShown = { keys: 0, events: 0, nobodys: 0 }
  let held = 0
  for (let key = 0; key < counts.size; key++) {
    const [a, b] = [counts.a[key], counts.b[key]]
    if (isPublic && isClicks && isListed[b] === 0) continue
    const both = chances.ofLog[a] * (isClicks || a === b ? 1 : chances.ofLog[b])
    const chance = both * chanceOf(mechanism, { users: counts.users[key], total: counts.total[key], isPublic })
    held += both
    shown.keys += chance
    shown.events += chance * rawOf(a, b)
  }
  if (!isPublic) return shown
  const pairs = isClicks ? sumOf(chances) * urls.texts.size : pairsOf(chances)
  const byNoise = Math.max(0, pairs - held) * chanceOf(mechanism, { users: 0, total: 0, isPublic })
  return { ...shown, keys: shown.keys + byNoise, nobodys: byNoise }
}

const sumOf = ({ ofLog, others }: QueryChances) =>
  [ofLog, others].reduce((all, some) => some.reduce((sum, one) => sum + one, all), 0)

/** The mean number of pairs of shown queries, (Σp)² − Σp² + Σp. A query paired with itself is one pair. */
function pairsOf({ ofLog, others }: QueryChances): number {
  const sum = sumOf({ ofLog, others })
  const squares = sumOf({ ofLog: ofLog.map((p) => p * p), others: others.map((p) => p * p) })
  return sum ** 2 - squares + sum
}

/** The chance that a key is shown; 0 if it has too few users. */
export function chanceOf(
  mechanism: Mechanism,
  { users, total, isPublic }: { users: number; total: number; isPublic: boolean },
): number {
  const { minUsers, threshold, truncation, selection } = mechanism
  if (!isPublic && users < Math.max(1, minUsers)) return 0
  if (selection !== undefined) return laplaceUpperTail(selection.threshold - total, approximate(selection.scale))
  if (threshold === undefined) return 1
  const scale = approximate(mechanism.scale)
  const from = threshold - total
  if (truncation === undefined) return laplaceUpperTail(from, scale)
  if (from > truncation) return 0
  const beyond = laplaceUpperTail(truncation + 1, scale)
  return from <= -truncation ? 1 : (laplaceUpperTail(from, scale) - beyond) / (1 - 2 * beyond)
}
