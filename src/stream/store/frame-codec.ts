import { ColumnReader, ColumnWriter } from "./columns.ts"
import { envelopeBytes, makeEnvelope, payloadHolds, readHead, sealEnvelope } from "./envelope.ts"
import type { Frame, StoredRecords } from "./frame.ts"

/** A frame begins with ten numbers: two of 8 bytes, eight of 4. */
const leadBytes = 48

/** Number of bytes that the texts use. */
export function arenaBytes({ count, ends }: StoredRecords): number {
  return count === 0 ? 0 : ends[count * 3 - 1]
}

/**
 * Encodes a frame in an envelope whose checksums start from `seed`. Columns may be longer than the records they hold.
 * Keeps no reference to the frame.
 */
export function encodeFrame(frame: Frame, { seed }: { seed: number }): Buffer {
  const { records, deals } = frame
  const { count } = records
  const releases = deals.record.length
  const cells = deals.cellEnd.length
  const arena = arenaBytes(records)
  const input = Buffer.from(frame.input)
  const change = Buffer.from(frame.change)
  const totals = Buffer.from(JSON.stringify(frame.totals))
  const answered = Buffer.from(frame.answered)
  const columns = releases * 16 + count * 26 + cells * 12
  const bytes = makeEnvelope(
    leadBytes + columns + arena + input.length + change.length + totals.length + answered.length,
  )

  const out = new ColumnWriter(bytes, envelopeBytes)
  out.put(Float64Array.of(frame.firstRecord, frame.firstRelease))
  out.put(Uint32Array.of(count, arena, releases, cells, input.length, change.length, totals.length, answered.length))
  out.put(deals.record)
  out.put(deals.as)
  out.put(records.topic.subarray(0, count))
  out.put(records.time.subarray(0, count))
  out.put(records.arrival.subarray(0, count))
  out.put(records.ends.subarray(0, count * 3))
  out.put(deals.cellEnd)
  out.put(deals.cellTime)
  out.put(deals.cellUsers)
  out.put(records.rank.subarray(0, count))
  out.put(records.arena.subarray(0, arena))
  out.put(input)
  out.put(change)
  out.put(totals)
  out.put(answered)
  out.close()
  sealEnvelope(bytes, { kind: "frame", seed })
  return bytes
}

/**
 * Decodes the frame at the start of the bytes, with its length. Undefined if it is incomplete or damaged. Its columns
 * may be views of the bytes.
 */
export function decodeFrame(bytes: Buffer, options: { seed: number }): { frame: Frame; length: number } | undefined {
  const head = readHead(bytes, 0, { kind: "frame", seed: options.seed })
  if (typeof head === "string" || !payloadHolds(bytes, 0, { ...head, seed: options.seed })) return undefined
  const frame = openSoundly(() => openFrame(bytes))
  return frame && { frame, length: head.length }
}

/** True if the texts of the records follow one another and fill the arena. */
export function hasSoundTexts(records: StoredRecords): boolean {
  const { ends, arena } = records
  for (let i = 1; i < ends.length; i++) if (ends[i - 1] > ends[i]) return false
  return arenaBytes(records) === arena.length
}

/**
 * What `open` makes of an envelope; undefined if the columns that it names do not fit in it. The checksum was verified
 * before, so this happens only by a chance of one in 2^32, or if someone used the key of the store.
 */
export function openSoundly<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Opens a frame whose envelope was checked. Throws a RangeError or a SyntaxError if its columns do not fit in it. */
export function openFrame(bytes: Buffer): Frame {
  const source = new ColumnReader(bytes, envelopeBytes)
  const [firstRecord, firstRelease] = source.float64(2)
  const [count, arena, releases, cells, input, change, totals, answered] = source.uint32(8)
  const record = source.float64(releases)
  const as = source.float64(releases)
  const topic = source.int32(count)
  const time = source.int32(count)
  const arrival = source.int32(count)
  const ends = source.uint32(count * 3)
  const cellEnd = source.uint32(cells)
  const cellTime = source.int32(cells)
  const cellUsers = source.int32(cells)
  const rank = source.uint16(count)
  return {
    firstRecord,
    records: { count, topic, time, arrival, rank, ends, arena: source.uint8(arena) },
    firstRelease,
    deals: { record, as, cellEnd, cellTime, cellUsers },
    input: source.text(input),
    change: source.text(change),
    totals: JSON.parse(source.text(totals)),
    answered: source.text(answered),
  }
}
