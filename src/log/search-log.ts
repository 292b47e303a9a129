import type { Dictionary } from "../kernels/dictionary.ts"

export const units = ["user", "session"] as const
export type Unit = (typeof units)[number]

/**
 * A search log: columns on shared memory, sorted by (user, time, query, rank, line), never changed. A row is a search
 * or one click of a search. An event is one distinct (user, query, time).
 */
export interface SearchLog {
  /** What the user column distinguishes: people as the log knows them, or their sessions. */
  readonly unit: Unit
  readonly rows: number
  readonly events: number
  readonly users: Dictionary
  /** Normalised texts. The raw text is never kept. */
  readonly queries: Dictionary
  readonly urls: Dictionary
  readonly user: Int32Array
  readonly query: Int32Array
  /** UTC seconds. */
  readonly time: Int32Array
  /** As the log counts ranks, from 0 or from 1. `unknownRank` if the row has none. */
  readonly rank: Uint16Array
  /** -1: no click. */
  readonly url: Int32Array
  /** 0, 1, 2 … in row order. */
  readonly event: Int32Array
  /**
   * The topic that the log itself gives each row: an id in `categories`, or -1 for none. Undefined if the log has no
   * topics.
   */
  readonly category?: Int32Array
  /** The topics of the log, as paths. */
  readonly categories?: Dictionary
  /** 1-based. With several files, line numbers continue from one file to the next. */
  readonly line: Uint32Array
}

/** The rank of a row without a rank. */
export const unknownRank = 0xffff

/** The columns of a log before its events are numbered. */
export type LogColumns = Pick<SearchLog, "user" | "query" | "time" | "rank" | "url" | "category" | "line">

export function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4))
}

export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4))
}

export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(length * 2))
}

/** Event numbers of sorted columns, in which rows with the same user, time and query are next to each other. */
export function numberEvents({ user, query, time }: Pick<LogColumns, "user" | "query" | "time">): Int32Array {
  const event = sharedInt32(user.length)
  let number = -1
  for (let i = 0; i < user.length; i++) {
    if (i === 0 || user[i] !== user[i - 1] || time[i] !== time[i - 1] || query[i] !== query[i - 1]) number++
    event[i] = number
  }
  return event
}
