import type { AnsweredRequest } from "../live/answered-requests.ts"
import type { Frame, StoredRecords } from "./frame.ts"

/** Where the output stands: releases and bytes that it was given. */
export interface OutputPosition {
  releases: number
  bytes: number
}

/** Where everything stands between two frames. */
export interface Boundary {
  /** Number of the next record, and of the next release. */
  record: number
  output: OutputPosition
  /** Where the inputs stand, as `positionsText` writes it. */
  input: string
  /** The settings in force, as JSON. */
  settings: string
  totals: Record<string, number>
  /** Cells that closed, by category (a node of the taxonomy); absent in checkpoints of earlier versions, which began at 0. */
  cells?: [category: number, cells: number][]
  /** Requests with a key that were answered lately. */
  answered?: AnsweredRequest[]
}

/** Records that waited at the boundary. */
export interface WaitingRecords {
  records: StoredRecords
  number: Float64Array
  /** 1: its text waits, 2: its user does, 3: both. In strict mode always both. */
  parts: Uint8Array
}

/** What an earlier run left behind. Each may be read once, in this order, and before the first checkpoint. */
export interface Recovered {
  boundary: Boundary
  /** In the order of their arrival. */
  waiting(): AsyncIterable<WaitingRecords>
  /** Hashes of the (user, query) pairs that were released, two words each, the oldest first. */
  released(): AsyncIterable<Uint32Array>
  /** The frames after the boundary. */
  frames(): AsyncIterable<Frame>
  /** Bytes of a frame that was being written when the run ended, and were cut off. */
  cut: number
}

/** Journal, checkpoints and books of a stream: what survives a crash. */
export interface StreamStore {
  /** Secret, 32 bytes, drawn when the store was made: names, hashes of pairs and dealings are keyed with it. */
  readonly key: Buffer
  readonly recovered: Recovered
  /** Resolves when the frame survives a crash. Frames are written in the order of the calls; several share one flush. */
  append(frame: Frame): Promise<void>
  /** Bytes of the journal behind the last checkpoint. */
  readonly journalBytes: number
  /** When the last checkpoint counted, or the store was opened; and whether the one that is being made finds no room. */
  readonly checkpointed: { at: number; isStalled: boolean }
  /** Whether the journal is long or old enough for a checkpoint, and none is being made. */
  readonly due: boolean
  /**
   * Everything appended so far becomes part of the next checkpoint, which is made in the background: `settle` must resolve
   * before it counts, when the output before the boundary survives a crash too. When it fails, so do later appends and `close`;
   * the promise never does, and need not be waited for.
   */
  checkpoint(boundary: Boundary, settle: () => Promise<void>): Promise<void>
  /** Resolves when no checkpoint is being made. */
  settled(): Promise<void>
  /** Waits for what was appended and for the checkpoint that is being made. */
  close(): Promise<void>
}
