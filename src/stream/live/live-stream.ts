import type { InputPositions } from "../store/positions.ts"
import type { AnsweredRequests } from "./answered-requests.ts"
import type { StreamFigures } from "./figures.ts"
import type { BatchReceipt, InputBatch } from "./transport.ts"
import type { NameLifetime } from "./user-names.ts"

/** What an operator may change while the stream runs. Journalled, so that a restart goes on with it. */
export interface StreamChange {
  k?: number
  depth?: number
  /** Paths of the categories where the depth differs by branch. */
  branches?: readonly string[]
  /** What the next start of a store says otherwise than the one before. */
  scrub?: string
  sensitive?: readonly string[]
  /** Names that last shorter, and from which release on. */
  users?: NameLifetime
  shorterSince?: number
  /** Paths of categories to withhold from now on, and to let go again. */
  withhold?: readonly string[]
  reopen?: readonly string[]
}

/** A batch on its way into the stream. */
export interface Offer {
  /** Resolves when another batch may come. */
  room: Promise<void>
  /** Resolves when the batch is durable. */
  receipt: Promise<BatchReceipt>
  /** Takes the batch back: true if nothing of it was or will be taken, false if it is too late. */
  withdraw(): boolean
}

/** A stream that runs: lines are offered, records leave through its output. */
export interface LiveStream {
  /** What an earlier run left behind, and how far it had come. */
  readonly resumed: {
    /** Where each input is to be taken up, by its name; none at the beginning. */
    positions: InputPositions
    waiting: number
    /** Releases that were written again. */
    repeated: number
    /** Bytes of the journal that a crash left unfinished. */
    cut: number
  }
  /** Batches are taken in the order of the calls. */
  offer(batch: InputBatch): Offer
  /** Resolves when the change is durable; a value that is none throws before anything changes. */
  configure(change: StreamChange): Promise<void>
  /** `state` of the figures, for those who look often: to gather all figures takes long. */
  readonly state: StreamFigures["state"]
  /** Requests that were answered lately, for those who send one again. */
  readonly requests: AnsweredRequests
  /** `checkpoint` of the figures. */
  readonly checkpoint: StreamFigures["checkpoint"]
  /** How the stream stands now; numbers alone. */
  figures(): StreamFigures
  /** Everything that was offered is durable and written. */
  drain(): Promise<void>
  /** Drains, makes a checkpoint and closes store and output. */
  close(): Promise<void>
}
