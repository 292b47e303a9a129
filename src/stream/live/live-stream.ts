import type { InputPositions } from "../store/positions.ts"
import type { AnsweredRequests } from "./answered-requests.ts"
import type { InputLag, StreamFigures } from "./stream-figures.ts"
import type { BatchReceipt, InputBatch } from "./transport.ts"
import type { NameLifetime } from "./user-names.ts"

/** What an operator may change while the stream runs. Changes are journalled, so that they survive a restart. */
export interface StreamChange {
  k?: number
  depth?: number
  /** Paths of the categories, if the depth differs by branch. */
  branches?: readonly string[]
  /** Options in which this start of a store differs from the one before. */
  scrub?: string
  sensitive?: readonly string[]
  /** Shorter-lived names, and the release from which they are used. */
  users?: NameLifetime
  shorterSince?: number
  /** Paths of categories to withhold from now on, and to release again. */
  withhold?: readonly string[]
  reopen?: readonly string[]
  /** In a group of workers: the version of the secret under which cells are dealt from now on. */
  secret?: number
}

/** A batch on its way into the stream. */
export interface Offer {
  /** Resolves when the next batch may be offered. */
  room: Promise<void>
  /** Resolves when the batch is durable. */
  receipt: Promise<BatchReceipt>
  /** Withdraws the batch: true if nothing of it was or will be accepted, false if it is too late. */
  withdraw(): boolean
}

/** A running stream: lines are offered to it, and records leave through its output. */
export interface LiveStream {
  /** Public name of the store: the same in every run, and different for every store. */
  readonly store: string
  /** What an earlier run left behind, and how far it had come. */
  readonly resumed: {
    /** Where to resume each input, by its name; empty at the beginning. */
    positions: InputPositions
    waiting: number
    /** Number of releases that were written again. */
    repeated: number
    /** Bytes of the journal that a crash left incomplete. */
    cut: number
  }
  /** Offers a batch. Batches are accepted in the order of the calls. */
  offer(batch: InputBatch): Offer
  /** Resolves when the change is durable. An invalid value throws before anything changes. */
  configure(change: StreamChange): Promise<void>
  /** `state` of the figures, for frequent polling: gathering all figures takes long. */
  readonly state: StreamFigures["state"]
  /** Recently answered requests, for senders that repeat one. */
  readonly requests: AnsweredRequests
  /** `checkpoint` of the figures. */
  readonly checkpoint: StreamFigures["checkpoint"]
  /** Takes note of how far an input is behind its source, for the figures. */
  noteLag(lag: InputLag): void
  /** The figures of the stream now; no text of the log. */
  figures(): StreamFigures
  /** Resolves when everything that was offered is durable and written. */
  drain(): Promise<void>
  /** Drains, makes a checkpoint and closes store and output. */
  close(): Promise<void>
}
