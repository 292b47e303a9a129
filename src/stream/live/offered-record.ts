import type { WithheldReason } from "./core-options.ts"

/** The record that is being offered to the swapper. The swapper's sink receives only slots and finds the rest here. */
export interface OfferedRecord {
  /** Its number in order of arrival. */
  number: number
  /** The machine's clock, in milliseconds. */
  now: number
  /** When the record arrived, in seconds. */
  arrived: number
  /** Why the swapper withholds the record; undefined if it waits or has left. */
  refusal: WithheldReason | undefined
}
