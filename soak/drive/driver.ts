import type { Findings } from "../findings.ts"
import type { Life } from "../life.ts"
import type { Random } from "../random.ts"
import type { Search } from "../searches.ts"
import type { Sent } from "../sent.ts"

/** What a driver works with. */
export interface World {
  folder: string
  random: Random
  sent: Sent
  findings: Findings
  /** Makes the next search and records it as sent. */
  makeSearch(): Search
}

/** Feeds one transport and observes its output, over many lives of the stream. */
export interface Driver {
  /** True if every line that was given arrives, however often the stream is killed. */
  isLossless: boolean
  /** True if requests were answered. */
  isAnswered: boolean
  /** The options for input and output. */
  places(options: { isLast: boolean }): string[]
  /** Takes what the stream writes to stdout, if that is its output. */
  onOutput?: () => (bytes: Uint8Array) => void
  /** Feeds a life until it is over or `signal` aborts. */
  feed(life: Life, signal: AbortSignal): Promise<void>
  /** Grows when something is released. */
  progress(): number
  /** Called after a life: checks what it left behind. */
  collect(): Promise<void>
  /** Called before the last life: completes what was only begun. */
  complete?(): Promise<void>
  /** Makes sure that the last life takes what is due and ends. */
  finish(life: Life): Promise<void>
  /** All releases that were seen. */
  lines(): readonly string[]
  close(): Promise<void>
}
