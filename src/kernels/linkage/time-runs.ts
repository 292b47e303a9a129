import { orderByKey } from "../sort-segments.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"

/** The records by category, in runs of one time. If times are those of the closings, each run is a cell. */
export interface TimeRuns {
  /** The record at a position. */
  order: Uint32Array
  /** Where each run begins, then the number of records. */
  starts: Int32Array
  /** By position: 1 if a unit begins here. A unit is records in a row of one run with one user and one text. */
  isUnit: Uint8Array
  /** The first run of each category, then the number of runs. */
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
