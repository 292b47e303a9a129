import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { InputPositions } from "../store/positions.ts"
import type { OutputPosition } from "../store/store.ts"
import type { RequestIdentity } from "./answered-requests.ts"

/** Where an input stands, in its own words. The stream keeps it with the batch, and gives it back after a restart. */
export interface InputPosition {
  /** The name of the input: the same in every run. */
  input: string
  at: string
}

/** Whole lines of input. The buffer is the stream's from now on; it has room for one more byte. */
export interface InputBatch {
  bytes: Uint8Array
  length: number
  plan: LinePlan
  /** Lines at the start that are no rows: a header. */
  skipLines: number
  /** Where the input of this name stands behind this batch; absent for an input that cannot be taken up again. */
  position?: InputPosition
  /** Where parts of the batch end, in lines, whose receipts are told apart: several requests may share a batch. */
  parts?: Uint32Array
  /** By part: the request that it is, where the sender gave a key. Its answer is kept with the commit. */
  requests?: readonly (RequestIdentity | undefined)[]
}

/** What became of one part of a batch. */
export interface RequestReceipt {
  taken: number
  withheld: number
  /** Lines from 1 within the part, the first hundred, with the reason of `log/formats`. */
  rejected: { line: number; reason: string }[]
  rejectedTotal: number
}

/** What became of a batch once it is durable. */
export interface BatchReceipt {
  /** Records that wait or left; the others are rejected or withheld. */
  taken: number
  withheld: number
  /** Lines from 1 within the batch, with the reason of `log/formats`. */
  rejected: readonly { line: number; reason: string }[]
  /** By part of the batch, where it has parts. */
  parts?: readonly RequestReceipt[]
}

/** The records among bytes that are written. */
export interface WrittenRecords {
  /** Where each record ends in the bytes, in order. Empty for a header, which is no record. */
  ends: Uint32Array
  /** Number of the last record; -1 for a header. The records are numbered one by one. */
  last: number
  /** Where the inputs stood when these records were decided on. Records of earlier writes belong to earlier positions. */
  positions: InputPositions
}

/** Where released records go. One narrow interface for files, sockets, subscriptions and brokers. */
export interface StreamOutput {
  /** Whether the output can be cut back to a position: then every release is in it exactly once. */
  readonly exact: boolean
  /**
   * Called once, before anything else: takes up at the position, cutting back what lies behind it where it can. `isNew`: the
   * store is, so that whatever the output holds is not of this stream. `due`: releases behind the position that the store
   * has. An output that finds more of them refuses and changes nothing: the store has lost what left, and would deal it again.
   */
  open(position: OutputPosition & { isNew: boolean; due: number }): Promise<void>
  /** Called when everything that an earlier run released is written; `newest` is the number of the last release, -1 for none. */
  recovered?(newest: number): void
  /** Whole records, in order; one call for each commit of the journal that released some. Resolves when more may come. */
  write(bytes: Uint8Array, records: WrittenRecords): Promise<void>
  /** Resolves when what was written so far survives a crash, or was handed over as far as this end can tell. */
  settle(): Promise<void>
  /** Called last; nothing is written afterwards. */
  close(): Promise<void>
}
