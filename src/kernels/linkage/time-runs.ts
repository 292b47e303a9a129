import { orderByKey } from "../sort-segments.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"

/** The records category by category, in runs of one time: a cell each, where the times are those of the closings. */
export interface TimeRuns {
  /** The record at a position. */
  order: Uint32Array
  /** Where each run begins, and at last the number of records. */
  starts: Int32Array
  /** By position: 1 where a unit begins, of records in a row of one run with one user and one text. */
  isUnit: Uint8Array
  /** The first run of each category, and at last the number of runs. */
  categories: Int32Array
}

export function findTimeRuns({ user, text, category, time }: ReleasedStream): TimeRuns {
  const order = orderByKey(category, countIds(category))
  const isUnit = new Uint8Array(order.length)
  const starts: number[] = []
  const categories: number[] = []
  for (let p = 0; p < order.length; p++) {
    const [record, before] = [order[p], p === 0 ? -1 : order[p - 1]]
    const goesOn = before >= 0 && category[record] === category[before]
    if (!goesOn) categories.push(starts.length)
    const sameRun = goesOn && time[record] === time[before]
    if (!sameRun) starts.push(p)
    if (!sameRun || user[record] !== user[before] || text[record] !== text[before]) isUnit[p] = 1
  }
  categories.push(starts.length)
  starts.push(order.length)
  return { order, starts: Int32Array.from(starts), isUnit, categories: Int32Array.from(categories) }
}
