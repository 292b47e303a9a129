import { RowKeys } from "./pairs.ts"

/** Consecutive rows of groups. */
export interface GroupRows {
  /** True if the positions of rows in their group count. */
  isOrdered: boolean
  /** True if row i is in the same group as the row before it. */
  joins(i: number): boolean
  rowAt(i: number): { query: number; time: number; url: number; rank: number }
}

/** The keys of groups of consecutive rows, as two columns, and where each group starts. */
export interface GroupKeys {
  high: Int32Array
  low: Int32Array
  starts: Int32Array
  /** Number of rows. */
  rows: number
}

/** The key of a group is the sum of the keys of its rows. */
export function sumGroups(count: number, seeds: Uint32Array, { isOrdered, joins, rowAt }: GroupRows): GroupKeys {
  const high: number[] = []
  const low: number[] = []
  const starts: number[] = []
  const key = new RowKeys(1, seeds)
  for (let i = 0, place = 0; i < count; i++) {
    place = joins(i) ? place + 1 : 0
    const { query, time, url, rank } = rowAt(i)
    key.set(0, query, time, url, (isOrdered ? place << 16 : 0) ^ rank)
    if (place === 0) {
      high.push(0)
      low.push(0)
      starts.push(i)
    }
    high[high.length - 1] = (high[high.length - 1] + key.high[0]) | 0
    low[low.length - 1] = (low[low.length - 1] + key.low[0]) | 0
  }
  return { high: Int32Array.from(high), low: Int32Array.from(low), starts: Int32Array.from(starts), rows: count }
}
