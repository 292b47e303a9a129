import type { RandomSource } from "../random.ts"
import { orderByKey } from "../sort-segments.ts"

/** What an attacker has of a log in which users were swapped, and the true issuer of each record. */
export interface ReleasedStream {
  /** By record, in the order of release: the user shown. */
  user: Int32Array
  /** Id of the text. */
  text: Int32Array
  /** The category as the attacker defines it: ids from 0. */
  category: Int32Array
  /** The time shown. */
  time: Int32Array
  /** The issuer, or -1 if unknown. Used only for scoring: no attacker reads it. */
  truth: Int32Array
}

/** What every attacker of a swapped stream is given. */
export interface LinkageOptions {
  /** The attacker's assumption for k, at least 1. */
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
 * Visits the categories in ascending order, each with its records in the order of release. Categories are independent,
 * so an attacker's tables need only be as large as one of them.
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
