import type { RandomSource } from "../kernels/random.ts"
import type { CellCounts } from "./cell-counts.ts"

/** How users are swapped: in whole cells, or as the paper does. */
export const swapModes = ["strict", "paper"] as const
/** One of `swapModes`. */
export type SwapMode = (typeof swapModes)[number]

/** What a swapper knows of a record: numbers, by record. A category may be any number from 0; so may users and texts. */
export interface RecordColumns {
  /** The numbers of a record stand at record × stride; 1 unless it is said. */
  readonly stride?: number
  readonly user: Int32Array
  readonly text: Int32Array
  readonly category: Int32Array
  /**
   * The place of a record in the order in which records were taken, the same wherever it lies and after a restart
   * (default: the record itself).
   */
  position?(record: number): number
}

/** What of a record waits. In paper mode its text may leave before its user does, and the other way round. */
export const waitingParts = { text: 1, user: 2, both: 3 } as const
/** Where a waiting record stands, for `restore`. */
export type WaitingPart = (typeof waitingParts)[keyof typeof waitingParts]

/** Why a swapper withholds a record: its user's waiting list (or the unit that it repeats) is full, or its text waits already. */
export type WithheldBy = "backlog" | "same-text"

/** Where records go. All calls come from within `offer`. */
export interface SwapSink {
  /** Strict mode: `record` is about to leave with the next cell. Called for all its records before the first is released. */
  gather?(record: number): void
  /**
   * `record` leaves under the user of the record `as`. `cell` counts the cells from 0 (in paper mode every record is one),
   * `users` is how many distinct users waited in the category before.
   */
  release(record: number, as: number, cell: number, users: number): void
  /** The record will never leave. */
  withhold(record: number, reason: WithheldBy): void
}

/**
 * Takes records in the order of their arrival and lets them go under other users' names, as soon as their category has
 * enough users. Time O(1) per record, amortised; memory in proportion to the records that wait.
 */
export interface Swapper {
  /** Takes a record; it and others may leave through the sink. */
  offer(record: number): void
  /** From now on; what waits already leaves when the next record of its category arrives. */
  setK(k: number): void
  /** Puts back a record, or one part of it, that waited in an earlier run, in the order of arrival. Lets nothing go. */
  restore(record: number, part: WaitingPart): void
  /** Distinct users who wait in a category. */
  usersIn(category: number): number
  /**
   * Strict mode: how many cells of its category will close before the one that a record would leave with, if it were offered
   * now and k stays as it is; -1 where it would join a unit that waits.
   */
  placeOf(record: number): number
  /** Records that wait. */
  readonly waiting: number
}

/** What is drawn for a cell: its members, where more users wait than it takes; or its dealing and the order of leaving. */
export const cellDraws = ["members", "dealing"] as const
/** One of `cellDraws`. */
export type CellDraw = (typeof cellDraws)[number]

/** All that the chance of a cell may depend on. */
export interface CellIdentity {
  category: number
  /** Cells of the category that closed before. */
  number: number
  draw: CellDraw
  /** Of the oldest units of its members, ascending; for the draw of members, of all users who wait. Valid during the call. */
  positions: Float64Array
}

/** How many users are swapped among each other, and where records leave. */
export interface SwapperOptions {
  k: number
  random: RandomSource
  /** Strict mode: the chance of one cell, used before the next is asked for (default: `random`, whatever the cell). */
  randomOfCell?: ((cell: CellIdentity) => RandomSource) | undefined
  /** Strict mode: what numbers the cells of a category (default: from 0). */
  counts?: CellCounts
  sink: SwapSink
  /** Strict mode: how many units of one user may wait in one category. */
  backlog: number
  /** Strict mode: how many records one unit may have. */
  mostRepeats?: number
  /**
   * Strict mode: whether the units of a cell have distinct texts, so that nobody is shown with a text of their own (default
   * true). A record whose text waits for the same cell already, of another user, is withheld.
   */
  distinctTexts?: boolean
}
