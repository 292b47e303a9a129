import type { RandomSource } from "../random.ts"
import { orderByKey } from "../sort-segments.ts"

/** What an attacker holds of a log in which users were swapped, and who really issued each record. */
export interface ReleasedStream {
  /** By record, in the order in which they left: the user shown. */
  user: Int32Array
  /** Id of the text. */
  text: Int32Array
  /** As the attacker cuts it: ids from 0. */
  category: Int32Array
  /** The time shown. */
  time: Int32Array
  /** Who issued it, for the score alone: no attacker looks at it. -1 unknown. */
  truth: Int32Array
}

/** What every attacker of a swapped stream is given. */
export interface LinkageOptions {
  /** What the attacker takes k to be, at least 1. */
  k: number
  random: RandomSource
}

/** One more than the largest id of a column. */
export function countIds(column: Int32Array): number {
  let largest = -1
  for (let i = 0; i < column.length; i++) if (column[i] > largest) largest = column[i]
  return largest + 1
}

/**
 * Visits the categories in ascending order, each with its records in the order in which they left. Categories have
 * nothing to do with each other, so an attacker's tables need only be as large as one of them.
 */
export function forEachCategory({ category }: ReleasedStream, visit: (records: Uint32Array) => void): void {
  const order = orderByKey(category, countIds(category))
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && category[order[end]] === category[order[start]]) end++
    visit(order.subarray(start, end))
    start = end
  }
}
