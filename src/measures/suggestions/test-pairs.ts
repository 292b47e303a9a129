import type { SearchLog } from "../../log/search-log.ts"
import { drawSearches } from "../draw-searches.ts"
import { pairSearches } from "../shown/click-edges.ts"

/** The test: after one query of a user, which one came next? */
export interface TestPairs {
  /** For each pair, its user, the user's fold, and the two queries, by ids of the log. */
  user: Int32Array
  fold: Uint8Array
  from: Int32Array
  to: Int32Array
}

/** Draws pairs of different queries that a user issued one after the other, with at most 30 minutes between them. */
export function drawPairs(log: SearchLog, options: { foldOf: Uint8Array; most: number; seed: number }): TestPairs {
  const { foldOf } = options
  const { before, after } = pairSearches(log)
  const beforeOf = new Map<number, number>()
  const drawn = drawSearches(log, after, options)
  const isDrawn = new Set(drawn)
  after.forEach((row, i) => {
    if (isDrawn.has(row)) beforeOf.set(row, before[i])
  })
  return {
    user: drawn.map((row) => log.user[row]),
    fold: Uint8Array.from(drawn, (row) => foldOf[log.user[row]]),
    from: drawn.map((row) => log.query[beforeOf.get(row) ?? row]),
    to: drawn.map((row) => log.query[row]),
  }
}
