import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { OutputPosition } from "../store/store.ts"
import type { RequestIdentity } from "./answered-requests.ts"

/** Whole lines of input. The buffer is the stream's from now on; it has room for one more byte. */
export interface InputBatch {
  bytes: Uint8Array
  length: number
  plan: LinePlan
  /** Lines at the start that are no rows: a header. */
  skipLines: number
  /** Where the input stands behind this batch, for a run that takes it up again; empty where it cannot be. */
  position: string
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
  /** Whole records, the last of which has the number `last`. Resolves when more may come. */
  write(bytes: Uint8Array, last: number): Promise<void>
  /** Resolves when what was written so far survives a crash, or was handed over as far as this end can tell. */
  settle(): Promise<void>
  /** Called last; nothing is written afterwards. */
  close(): Promise<void>
}
