import type { WithheldReason } from "./core-options.ts"

/** The record that the swapper is offered. The swapper's sink is given slots alone, and finds the rest here. */
export interface OfferedRecord {
  /** In the order of arrival. */
  number: number
  /** The machine's clock when it came, in milliseconds. */
  now: number
  /** Why the swapper withholds it; undefined if it waits or left. */
  refusal: WithheldReason | undefined
}
