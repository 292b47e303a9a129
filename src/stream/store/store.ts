import type { AnsweredRequest } from "../live/answered-requests.ts"
import type { Frame, StoredRecords } from "./frame.ts"
import type { StoreSecrets } from "./store-secrets.ts"

/** Position of the output: how many releases and bytes it was given. */
export interface OutputPosition {
  releases: number
  bytes: number
}

/** The state between two frames. */
export interface Boundary {
  /** Number of the next record, and of the next release. */
  record: number
  output: OutputPosition
  /** Positions of the inputs, as `positionsText` writes them. */
  input: string
  /** The settings in force, as JSON. */
  settings: string
  totals: Record<string, number>
  /**
   * Number of closed cells, by category (a node of the taxonomy). Absent in checkpoints of earlier versions, which
   * began at 0.
   */
  cells?: [category: number, cells: number][]
  /** Recently answered requests that had a key. */
  answered?: AnsweredRequest[]
}

/** Records that waited at the boundary. */
export interface WaitingRecords {
  records: StoredRecords
  number: Float64Array
  /** 1: its text waits, 2: its user waits, 3: both. In strict mode always both. */
  parts: Uint8Array
}

/** What an earlier run left behind. It must be read before the first checkpoint. */
export interface Recovered {
  boundary: Boundary
  /** Number of records that waited at the boundary. */
  records: number
  /** In order of arrival. */
  waiting(): AsyncIterable<WaitingRecords>
  /** Hashes of the (user, query) pairs that were released, two words each, oldest first. */
  released(): AsyncIterable<Uint32Array>
  /** The frames after the boundary. */
  frames(): AsyncIterable<Frame>
  /** Bytes of a frame that was being written when the run ended; they were cut off. */
  cut: number
}

/** Journal, checkpoints and books of a stream: what survives a crash. */
export interface StreamStore {
  /** Secret, 32 bytes, drawn when the store was created. Names are keyed with it. */
  readonly key: Buffer
  /** Secrets that are derived from the key. */
  readonly secrets: StoreSecrets
  readonly recovered: Recovered
  /**
   * Resolves when the frame survives a crash. Frames are written in the order of the calls; several share one flush.
   */
  append(frame: Frame): Promise<void>
  /** Bytes of the journal after the last checkpoint. */
  readonly journalBytes: number
  /**
   * When the last checkpoint became valid or the store was opened, and whether the checkpoint in progress finds no
   * room.
   */
  readonly checkpointed: { at: number; isStalled: boolean }
  /** True if the journal is long or old enough for a checkpoint, and none is in progress. */
  readonly due: boolean
  /**
   * Makes everything appended so far part of the next checkpoint, which is made in the background. The checkpoint
   * becomes valid only after `settle` resolves, that is when the output before the boundary also survives a crash. If
   * the checkpoint fails, later appends and `close` fail too. The returned promise never rejects, and need not be
   * awaited.
   */
  checkpoint(boundary: Boundary, settle: () => Promise<void>): Promise<void>
  /** Resolves when no checkpoint is in progress. */
  settled(): Promise<void>
  /** Waits for what was appended and for the checkpoint in progress, then closes the store. */
  close(): Promise<void>
}
