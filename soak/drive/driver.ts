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
  /** Makes the next search and notes it as sent. */
  makeSearch(): Search
}

/** Feeds one transport and looks at what comes out of it, over many lives of the stream. */
export interface Driver {
  /** Whether every line that was given arrives, however often the stream is killed. */
  isLossless: boolean
  /** Whether requests were answered. */
  isAnswered: boolean
  /** The options for input and output. */
  places(options: { isLast: boolean }): string[]
  /** Takes what the stream writes to stdout, where that is its output. */
  onOutput?: () => (bytes: Uint8Array) => void
  /** Feeds a life until it is over or `signal` says so. */
  feed(life: Life, signal: AbortSignal): Promise<void>
  /** Grows when something leaves. */
  progress(): number
  /** After a life: looks at what it left behind. */
  collect(): Promise<void>
  /** Before the last life: gives what was only begun. */
  complete?(): Promise<void>
  /** Sees to it that the last life takes what is due and ends. */
  finish(life: Life): Promise<void>
  /** All releases that were seen. */
  lines(): readonly string[]
  close(): Promise<void>
}
