import type { PairLog } from "./released-pairs.ts"

/** Notes what happens in a core, so that it can be kept: in the frames of a journal, or in a changelog. */
export interface CoreChanges extends Partial<PairLog> {
  /** A record was taken, in order of numbers. It may leave at once. */
  add(slot: number): void
  /** A cell closed that shows this time. `users` is the number of users who waited before. */
  openCell(time: number, users: number): void
  /** A record of that cell leaves under the user of another. */
  deal(slot: number, as: number): void
}
