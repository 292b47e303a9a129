import type { StoreFiles } from "../../files/folder-files.ts"
import { openFiles } from "../../files/folder-files.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type ArchiveFacts, readArchiveFacts, readStretches, type Stretch } from "./archive.ts"
import { damaged } from "./damage.ts"
import type { Frame, StoredRecords } from "./frame.ts"
import { segmentName } from "./journal.ts"
import { readFrames } from "./read-journal.ts"
import { readSnapshot } from "./snapshot.ts"

/** A record that a stream accepted. Times are UTC seconds; an empty url means no url. */
export interface AuditedRecord {
  /** Its number in order of arrival. */
  number: number
  user: string
  query: string
  time: number
  rank: number
  url: string
  /** Node of the taxonomy. */
  topic: number
}

/** A release of a stream, with the original data behind it. */
export interface AuditedRelease {
  /** Its number in order of release, from 0. */
  seq: number
  record: AuditedRecord
  /** The record whose user it is shown with. */
  as: AuditedRecord
  /** Number of the cell, unique in the store. */
  cell: number
  /** The time at which the cell closed, before it is cut to hour or day. */
  closed: number
  /** Number of users who waited in the category before. */
  users: number
  /** The settings in force, as JSON. */
  settings: string
  /** The sequence of journals that it is in. All releases of one share this object. */
  stretch: Stretch
}

/** The audit of a stream, for reading. */
export interface StreamAudit {
  facts: ArchiveFacts
  /** Every release that the audit covers, in order. After a run without the audit some are missing. */
  releases(): AsyncGenerator<AuditedRelease>
  /** Every accepted record that the audit covers, in order of arrival. */
  records(): AsyncGenerator<AuditedRecord>
}

/** Opens the folder that `stream run --audit` wrote. Throws `store-foreign` if it is not such a folder. */
export async function openStreamAudit(folder: string): Promise<StreamAudit> {
  const files = openFiles(folder)
  const facts = await readArchiveFacts(files)
  if (facts === undefined)
    throw new QueryveilError(
      "store-foreign",
      `${folder}: not an audit of a stream. Give the folder of stream run --audit.`,
      { file: folder },
    )
  const stretches = await readStretches(files)
  return {
    facts,
    async *releases() {
      for (const stretch of stretches) yield* releasesOf(files, { stretch, seed: facts.seed, mode: facts.mode })
    },
    async *records() {
      let next = 0
      for (const stretch of stretches) {
        for await (const record of waitingBefore(files, { stretch, seed: facts.seed })) {
          if (record.number < next) continue
          next = record.number + 1
          yield record
        }
        for await (const frame of framesOf(files, { stretch, seed: facts.seed })) {
          for (let i = 0; i < frame.records.count; i++) yield readRecord(frame.records, i, frame.firstRecord + i)
          next = frame.firstRecord + frame.records.count
        }
      }
    },
  }
}

interface Source {
  stretch: Stretch & { lengths: number[] }
  seed: number
}

async function* framesOf(files: StoreFiles, { stretch, seed }: Source): AsyncGenerator<Frame> {
  const segments = { first: stretch.segment, lengths: stretch.lengths }
  for await (const frames of readFrames(files, { segments, seed })) yield* frames
}

async function* waitingBefore(files: StoreFiles, { stretch, seed }: Source): AsyncGenerator<AuditedRecord> {
  if (stretch.snapshot.name === "") return
  for await (const { waiting } of readSnapshot(files, { snapshot: stretch.snapshot, seed })) {
    const { records, number } = waiting
    for (let i = 0; i < records.count; i++) yield readRecord(records, i, number[i])
  }
}

async function* releasesOf(
  files: StoreFiles,
  source: Source & Pick<ArchiveFacts, "mode">,
): AsyncGenerator<AuditedRelease> {
  const { stretch, mode } = source
  const known = new Map<number, AuditedRecord>()
  for await (const record of waitingBefore(files, source)) known.set(record.number, record)
  const find = (number: number) => {
    const record = known.get(number)
    if (record !== undefined) return record
    throw damaged(files.folder, segmentName(stretch.segment), "releases a record that is not waiting")
  }
  let { settings, cells: cell } = stretch
  for await (const { firstRecord, records, firstRelease, deals, change } of framesOf(files, source)) {
    if (change !== "") settings = change
    for (let i = 0; i < records.count; i++) known.set(firstRecord + i, readRecord(records, i, firstRecord + i))
    const gone: number[] = []
    for (let place = 0, i = 0; place < deals.cellEnd.length; place++) {
      const about = { cell: ++cell, closed: deals.cellTime[place], users: deals.cellUsers[place], settings, stretch }
      for (; i < deals.cellEnd[place]; i++) {
        yield { seq: firstRelease + i, record: find(deals.record[i]), as: find(deals.as[i]), ...about }
        gone.push(deals.record[i])
      }
    }
    // In the paper's algorithm a record's user can be used after or before its text leaves.
    if (mode === "strict") for (const number of gone) known.delete(number)
  }
}

function readRecord({ ends, arena, time, rank, topic }: StoredRecords, i: number, number: number): AuditedRecord {
  const start = i === 0 ? 0 : ends[i * 3 - 1]
  const text = (from: number, to: number) =>
    Buffer.from(arena.buffer, arena.byteOffset + from, to - from).toString("utf8")
  return {
    number,
    user: text(start, ends[i * 3]),
    query: text(ends[i * 3], ends[i * 3 + 1]),
    url: text(ends[i * 3 + 1], ends[i * 3 + 2]),
    time: time[i],
    rank: rank[i],
    topic: topic[i],
  }
}
