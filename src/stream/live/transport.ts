import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { InputPositions } from "../store/positions.ts"
import type { OutputPosition } from "../store/store.ts"
import type { RequestIdentity } from "./answered-requests.ts"

/**
 * The position of an input, in the input's own notation. The stream stores it with the batch, and returns it after a
 * restart.
 */
export interface InputPosition {
  /** The name of the input. It is the same in every run. */
  input: string
  at: string
}

/** Complete lines of input. The stream takes over the buffer, which has room for one more byte. */
export interface InputBatch {
  bytes: Uint8Array
  length: number
  plan: LinePlan
  /** Lines at the start that are not rows: a header. */
  skipLines: number
  /** The position of the input of this name after this batch; absent for an input that cannot be resumed. */
  position?: InputPosition
  /** Line offsets where sub-batches end; each gets its own receipt. Several requests may share a batch. */
  parts?: Uint32Array
  /** By sub-batch: the identity of its request, if the sender gave a key. Its answer is stored with the commit. */
  requests?: readonly (RequestIdentity | undefined)[]
}

/** The result of one sub-batch. */
export interface RequestReceipt {
  taken: number
  withheld: number
  /** The first hundred rejected lines, numbered from 1 within the sub-batch, with the reason of `log/formats`. */
  rejected: { line: number; reason: string }[]
  rejectedTotal: number
}

/** The result of a batch, once it is durable. */
export interface BatchReceipt {
  /** Records that wait or left; the others are rejected or withheld. */
  taken: number
  withheld: number
  /** Rejected lines, numbered from 1 within the batch, with the reason of `log/formats`. */
  rejected: readonly { line: number; reason: string }[]
  /** By sub-batch, if the batch has any. */
  parts?: readonly RequestReceipt[]
}

/** Describes the records among written bytes. */
export interface WrittenRecords {
  /** Where each record ends in the bytes, in order. Empty for a header, which is not a record. */
  ends: Uint32Array
  /** Number of the last record; -1 for a header. The records are numbered consecutively. */
  last: number
  /**
   * Positions of the inputs when these records were decided on. Records of earlier writes belong to earlier positions.
   */
  positions: InputPositions
}

/** A destination of released records. One narrow interface for files, sockets, subscriptions and brokers. */
export interface StreamOutput {
  /** True if the output can be cut back to a position; then every release is in it exactly once. */
  readonly exact: boolean
  /**
   * Called once, before anything else. Resumes at the position, and cuts off what is after it if it can. `isNew`: the
   * store is new, so existing content of the output is not from this stream. `due`: number of releases after the
   * position that the store has. An output that finds more than that refuses and changes nothing: the store has lost
   * what left, and would deal it again. `store`: identity of the store, the same in every run, and not secret.
   */
  open(position: OutputPosition & { isNew: boolean; due: number; store?: string }): Promise<void>
  /**
   * Called when everything that an earlier run released is written. `newest` is the number of the last release, -1 if
   * none.
   */
  recovered?(newest: number): void
  /**
   * Writes complete records, in order; one call for each commit of the journal that released any. Resolves when the
   * next call may follow.
   */
  write(bytes: Uint8Array, records: WrittenRecords): Promise<void>
  /** Resolves when what was written so far survives a crash, or was handed over as far as this side can tell. */
  settle(): Promise<void>
  /** Called last; nothing is written afterwards. */
  close(): Promise<void>
}
