import type { StoreFile, StoreFiles } from "../../files/folder-files.ts"
import { ColumnReader, ColumnWriter } from "./columns.ts"
import { damaged } from "./damage.ts"
import { envelopeBytes, makeEnvelope, sealEnvelope } from "./envelope.ts"
import type { StoredRecords } from "./frame.ts"
import { arenaBytes, hasSoundTexts, openSoundly } from "./frame-codec.ts"
import { readEnvelopes } from "./read-envelopes.ts"
import type { WaitingRecords } from "./store.ts"

/** A file of waiting records, and how much of it is valid. */
export interface SnapshotFile {
  name: string
  bytes: number
  records: number
}

const leadBytes = 8
const blockRecords = 1 << 16
const blockArena = 1 << 22

function encodeWaiting({ records, number, parts }: WaitingRecords, seed: number): Buffer {
  const { count } = records
  const arena = arenaBytes(records)
  const bytes = makeEnvelope(leadBytes + count * 35 + arena)
  const out = new ColumnWriter(bytes, envelopeBytes)
  out.put(Uint32Array.of(count, arena))
  out.put(number.subarray(0, count))
  out.put(records.topic.subarray(0, count))
  out.put(records.time.subarray(0, count))
  out.put(records.arrival.subarray(0, count))
  out.put(records.ends.subarray(0, count * 3))
  out.put(records.rank.subarray(0, count))
  out.put(parts.subarray(0, count))
  out.put(records.arena.subarray(0, arena))
  out.close()
  sealEnvelope(bytes, { kind: "waiting", seed })
  return bytes
}

function openWaiting(bytes: Buffer): WaitingRecords {
  const source = new ColumnReader(bytes, envelopeBytes)
  const [count, arena] = source.uint32(2)
  const number = source.float64(count)
  const topic = source.int32(count)
  const time = source.int32(count)
  const arrival = source.int32(count)
  const ends = source.uint32(count * 3)
  const rank = source.uint16(count)
  const parts = source.uint8(count)
  return { records: { count, topic, time, arrival, rank, ends, arena: source.uint8(arena) }, number, parts }
}

/** A block of a snapshot, and its bytes in the file. */
export interface SnapshotBlock {
  waiting: WaitingRecords
  bytes: Buffer
}

/** Yields the blocks of a snapshot in order. Throws if the file is not as it was written. */
export async function* readSnapshot(
  files: StoreFiles,
  options: { snapshot: SnapshotFile; seed: number },
): AsyncGenerator<SnapshotBlock> {
  const { name, bytes: end, records } = options.snapshot
  const file = await openSnapshot(files, name)
  try {
    let read = 0
    let count = 0
    for await (const found of readEnvelopes(file, { kind: "waiting", seed: options.seed, end })) {
      for (const { bytes } of found) {
        const waiting = openSoundly(() => openWaiting(bytes))
        if (waiting === undefined || !hasSoundTexts(waiting.records))
          throw damaged(files.folder, name, `has a broken block at byte ${read}`)
        read += bytes.length
        count += waiting.records.count
        yield { waiting, bytes }
      }
    }
    if (read !== end) throw damaged(files.folder, name, `is damaged at byte ${read}`)
    if (count !== records) throw damaged(files.folder, name, "does not have the expected records")
  } finally {
    await file.close()
  }
}

async function openSnapshot(files: StoreFiles, name: string): Promise<StoreFile> {
  try {
    return await files.open(name, "read")
  } catch {
    throw damaged(files.folder, name, "is missing or cannot be read")
  }
}

/** Collects records into blocks and writes them. Records must be added in order of number. */
export class SnapshotWriter {
  bytes = 0
  records = 0
  #file: StoreFile
  #seed: number
  #count = 0
  #used = 0
  #number = new Float64Array(blockRecords)
  #parts = new Uint8Array(blockRecords)
  #topic = new Int32Array(blockRecords)
  #time = new Int32Array(blockRecords)
  #arrival = new Int32Array(blockRecords)
  #rank = new Uint16Array(blockRecords)
  #ends = new Uint32Array(blockRecords * 3)
  #arena = new Uint8Array(blockArena)

  constructor(file: StoreFile, options: { seed: number }) {
    this.#file = file
    this.#seed = options.seed
  }

  /** True if `flush` must be called before more is added. */
  get full(): boolean {
    return this.#count === blockRecords || this.#used >= blockArena
  }

  add(records: StoredRecords, index: number, place: { number: number; parts: number }): void {
    const { ends } = records
    const start = index === 0 ? 0 : ends[index * 3 - 1]
    const end = ends[index * 3 + 2]
    const at = this.#used
    if (at + end - start > this.#arena.length) this.#grow(at + end - start)
    const arena = this.#arena
    const from = records.arena
    if (end - start < 128) for (let i = start, o = at; i < end; i++, o++) arena[o] = from[i]
    else arena.set(from.subarray(start, end), at)
    const to = this.#count++
    this.#number[to] = place.number
    this.#parts[to] = place.parts
    this.#topic[to] = records.topic[index]
    this.#time[to] = records.time[index]
    this.#arrival[to] = records.arrival[index]
    this.#rank[to] = records.rank[index]
    this.#ends[to * 3] = at + ends[index * 3] - start
    this.#ends[to * 3 + 1] = at + ends[index * 3 + 1] - start
    this.#ends[to * 3 + 2] = at + end - start
    this.#used = at + end - start
  }

  /** Writes what was added. */
  async flush(): Promise<void> {
    const count = this.#count
    if (count === 0) return
    const records = {
      count,
      topic: this.#topic,
      time: this.#time,
      arrival: this.#arrival,
      rank: this.#rank,
      ends: this.#ends,
      arena: this.#arena,
    }
    const bytes = encodeWaiting({ records, number: this.#number, parts: this.#parts }, this.#seed)
    this.#count = 0
    this.#used = 0
    await this.#write(bytes, count)
  }

  /** Copies a block of another snapshot unchanged. */
  async copy({ bytes, waiting }: SnapshotBlock): Promise<void> {
    await this.flush()
    await this.#write(bytes, waiting.records.count)
  }

  async #write(bytes: Buffer, count: number): Promise<void> {
    await this.#file.write(bytes, this.bytes)
    this.bytes += bytes.length
    this.records += count
  }

  #grow(needed: number): void {
    const arena = new Uint8Array(Math.max(needed, this.#arena.length * 2))
    arena.set(this.#arena)
    this.#arena = arena
  }
}
