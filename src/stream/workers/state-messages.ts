import { ColumnReader, ColumnWriter } from "../store/columns.ts"
import type { StoredRecords } from "../store/frame.ts"
import { putRecords, recordBytes, takeRecords } from "./record-block.ts"

/**
 * The changelog of a partition, by key of the message:
 *
 *     h      the state but for the records and pairs, at the last checkpoint
 *     fN     what transaction N changed, until a checkpoint has it
 *     wN     the waiting records with numbers from N × chunkRecords; long texts make it several messages (wN.1 …)
 *     pG.N   the N-th block of the pairs that were remembered in generation G
 *     mP     what partition P of the plan before hands over, but for the records and pairs
 *     mP.rN  the N-th block of the records that partition P hands over
 *     mP.pN  the N-th block of its pairs
 *
 * Messages without a value delete those before.
 */
export const headKey = "h"
export const frameKey = (number: number) => `f${number}`
export const chunkKey = (chunk: number, part: number) => (part === 0 ? `w${chunk}` : `w${chunk}.${part}`)
export const movedKey = (from: number) => `m${from}`
export const movedRecordsKey = (from: number, block: number) => `m${from}.r${block}`
export const movedPairsKey = (from: number, block: number) => `m${from}.p${block}`
export const pairsKey = (generation: number, block: number) => `p${generation}.${block}`

/** Records with consecutive numbers are kept together, as far as they wait. */
const chunkRecords = 512
export const chunkOf = (number: number) => Math.floor(number / chunkRecords)

/** The form of the changelog. A worker refuses a later one, and can read earlier ones. */
export const stateVersion = 1

/** The state of a partition but for its records and pairs. */
export interface StateFacts {
  version: number
  /** The offset of the next classified message. */
  offset: number
  nextRecord: number
  nextRelease: number
  /** The settings in force, as `settingsText` writes them. Empty in a frame that did not change them. */
  settings: string
  totals: Record<string, number>
  /** Categories and their numbers of closed cells: all in a head, those that changed in a frame. */
  cells: [category: number, cells: number][]
  /** Partitions of the input that send no more to this topic. */
  ended: number[]
  /** True if the partition was handed over to the next plan. */
  isMoved: boolean
}

/** Records that wait, with their numbers. */
export interface NumberedRecords {
  number: Float64Array
  records: StoredRecords
}

/** A remembered pair is four words: its generation, both halves of its hash, and the topic of the search. */
export const pairWords = 4

/** Pairs of a partition are numbered in the order in which they were remembered. */
interface FrameFacts extends StateFacts {
  /** The number of the first pair of the frame. */
  firstPair: number
  /** Blocks have all pairs before this one. A checkpoint writes blocks long before it deletes frames. */
  keptPairs: number
}

/** What one transaction changed. What entered and left within it does not appear. */
export interface StateFrame extends NumberedRecords {
  facts: FrameFacts
  /** Numbers of the records that left and had entered before. */
  left: Float64Array
  pairs: Uint32Array
}

export function encodeFrame({ facts, number, records, left, pairs }: StateFrame): Buffer {
  const text = Buffer.from(JSON.stringify(facts))
  const lead = Uint32Array.of(number.length, left.length, pairs.length, text.length)
  const length = 16 + 8 * (number.length + left.length) + 4 * pairs.length + recordBytes(records) + text.length
  const bytes = Buffer.allocUnsafeSlow(length)
  const out = new ColumnWriter(bytes, 0)
  for (const column of [lead, number, left, pairs]) out.put(column)
  putRecords(out, records)
  out.put(text)
  return bytes
}

export function decodeFrame(bytes: Buffer): StateFrame {
  const source = new ColumnReader(bytes, 0)
  const [count, gone, words, length] = source.uint32(4)
  const number = source.float64(count)
  const left = source.float64(gone)
  const pairs = source.uint32(words)
  const records = takeRecords(source)
  return { number, left, pairs, records, facts: JSON.parse(source.text(length)) }
}

/** What a partition hands over to one of the next plan, but for the records and pairs. */
export interface MovedFacts {
  version: number
  nextRelease: number
  /** The newest generation of its remembered pairs, also of those that it hands over to other partitions. */
  generation: number
  gated: readonly string[]
  cells: [category: number, cells: number][]
  /** Number of blocks of records, and of pairs. */
  blocks: { records: number; pairs: number }
}

export function encodeChunk({ number, records }: NumberedRecords): Buffer {
  const bytes = Buffer.allocUnsafeSlow(8 + 8 * number.length + recordBytes(records))
  const out = new ColumnWriter(bytes, 0)
  out.put(Uint32Array.of(number.length, 0))
  out.put(number)
  putRecords(out, records)
  return bytes
}

export function decodeChunk(bytes: Buffer): NumberedRecords {
  const source = new ColumnReader(bytes, 0)
  const [count] = source.uint32(2)
  return { number: source.float64(count), records: takeRecords(source) }
}

export function encodePairs(pairs: Uint32Array): Buffer {
  const bytes = Buffer.allocUnsafeSlow(pairs.byteLength)
  new ColumnWriter(bytes, 0).put(pairs)
  return bytes
}

export const decodePairs = (bytes: Buffer) => new ColumnReader(bytes, 0).uint32(bytes.length / 4)
