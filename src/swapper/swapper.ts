import type { RandomSource } from "../kernels/random.ts"
import type { CellCounts } from "./cell-counts.ts"

/** How users are swapped: in whole cells (strict), or as in the paper. */
export const swapModes = ["strict", "paper"] as const
/** One of `swapModes`. */
export type SwapMode = (typeof swapModes)[number]

/**
 * The positions of records: time in seconds, then both halves of a keyed hash of user and text. A position depends on
 * nothing else, so it is the same on every machine and after a restart. Values are at index record × stride.
 */
export interface PositionColumns {
  readonly time: Int32Array
  readonly high: Int32Array
  readonly low: Int32Array
}

/** What a swapper knows of each record, as numbers. Categories, users and texts may be any numbers from 0. */
export interface RecordColumns {
  /** The values of a record are at index record × stride (default 1). */
  readonly stride?: number
  readonly user: Int32Array
  readonly text: Int32Array
  readonly category: Int32Array
  /** The positions of records, for the order of a cell's members (default: the record itself). */
  readonly position?: PositionColumns
  /** The place of a record in the order of arrival. It decides between equal positions (default: the record itself). */
  arrival?(record: number): number
}

/** Which part of a record waits. In paper mode its text may leave before its user does, and vice versa. */
export const waitingParts = { text: 1, user: 2, both: 3 } as const
/** The waiting part of a record, for `restore`. */
export type WaitingPart = (typeof waitingParts)[keyof typeof waitingParts]

/**
 * Why a swapper withholds a record. `backlog`: its user's waiting list, or the unit that it repeats, is full.
 * `same-text`: its text already waits for the same cell.
 */
export type WithheldBy = "backlog" | "same-text"

/** How many records `Swapper.warm` takes at once. */
export const mostWarmed = 256

/** Up to `mostWarmed` records that will be offered or restored next. An unknown user is -1. */
export interface ComingRecords {
  count: number
  readonly user: Int32Array
  readonly text: Int32Array
  readonly category: Int32Array
}

/** Room for `mostWarmed` records. */
export function makeComingRecords(): ComingRecords {
  const column = () => new Int32Array(mostWarmed)
  return { count: 0, user: column(), text: column(), category: column() }
}

/** Receives records. All calls come from within `offer`. */
export interface SwapSink {
  /**
   * Strict mode: `record` will leave with the next cell. Called for all records of a cell before the first is released.
   */
  gather?(record: number): void
  /**
   * `record` leaves under the user of the record `as`. `cell` counts the cells from 0; in paper mode every record is a
   * cell. `users` is the number of distinct users who waited in the category before.
   */
  release(record: number, as: number, cell: number, users: number): void
  /** The record will never leave. */
  withhold(record: number, reason: WithheldBy): void
}

/**
 * Takes records in the order of their arrival. Releases them under the names of other users as soon as their category
 * has enough users. Time O(1) per record, amortised; memory in proportion to the records that wait.
 */
export interface Swapper {
  /** Takes a record. It and others may leave through the sink. */
  offer(record: number): void
  /**
   * Changes k from now on. Records that already wait leave no sooner than the next record of their category arrives.
   */
  setK(k: number): void
  /** Puts back a record, or a part of it, that waited in an earlier run, in the order of arrival. Releases nothing. */
  restore(record: number, part: WaitingPart): void
  /**
   * Call before records are offered or restored: reads the memory that this will need, for all of them together.
   * Changes nothing. Returns a number only so that the reads are not optimised away.
   */
  warm?(records: ComingRecords): number
  /** The number of distinct users who wait in a category. */
  usersIn(category: number): number
  /**
   * Strict mode: the number of cells of its category that will close before the one that a record would leave with, if
   * it were offered now and k stayed the same. -1 if it would join a waiting unit.
   */
  placeOf(record: number): number
  /** The number of records that wait. */
  readonly waiting: number
}

/** What is drawn for a cell: its members, if more users wait than it takes; or its dealing and the order of release. */
export const cellDraws = ["members", "dealing"] as const
/** One of `cellDraws`. */
export type CellDraw = (typeof cellDraws)[number]

/** Everything that the randomness of a cell may depend on. */
export interface CellIdentity {
  category: number
  /** The number of cells of the category that closed before. */
  number: number
  draw: CellDraw
  /**
   * Positions of the oldest units of its members (for the draw of members: of all users who wait), ascending. Each is
   * three words: time + 2³¹, and both halves of the hash. The position of a unit is that of its first record. Valid
   * during the call.
   */
  positions: Uint32Array
}

/** How many users are swapped with each other, and where records leave. */
export interface SwapperOptions {
  k: number
  random: RandomSource
  /**
   * Strict mode: the randomness of one cell. It is used up before the next is requested (default: `random` for every
   * cell).
   */
  randomOfCell?: ((cell: CellIdentity) => RandomSource) | undefined
  /** Strict mode: the numbering of each category's cells (default: from 0). */
  counts?: CellCounts
  sink: SwapSink
  /** The number of records that will be restored at once (default 0). All of them are numbered below it. */
  expected?: number
  /** Strict mode: the largest number of units of one user that may wait in one category. */
  backlog: number
  /** Strict mode: the largest number of records of one unit. */
  mostRepeats?: number
  /**
   * Strict mode: true if the units of a cell must have distinct texts, so that nobody is shown with a text of their own
   * (default true). A record is withheld if its text, issued by another user, already waits for the same cell.
   */
  distinctTexts?: boolean
}
