import type { StoreFile, StoreFiles } from "../../files/folder-files.ts"
import { damaged } from "./damage.ts"
import { DealtRecords } from "./dealt-records.ts"
import { checksumSeed } from "./envelope.ts"
import type { StoredRecords } from "./frame.ts"
import { segmentName } from "./journal.ts"
import { keepProfiles, type ProfileBooks } from "./keep-profiles.ts"
import type { ProfileGains } from "./profile-gains.ts"
import { type JournalSegments, readFrames } from "./read-journal.ts"
import { addPairs, type Generation } from "./released-pairs.ts"
import { readSnapshot, type SnapshotFile, SnapshotWriter } from "./snapshot.ts"
import type { StoreFacts } from "./store-facts.ts"
import { secretsOf } from "./store-secrets.ts"

/** The bookkeeper's job: fold closed segments into a new snapshot. */
export interface BookkeepingJob {
  folder: string
  facts: StoreFacts
  /** What waited before the segments; its name is empty if there is none. */
  snapshot: SnapshotFile
  segments: JournalSegments
  /** Number of the checkpoint, which is part of the names of the written files. */
  number: number
  released: readonly Generation[]
  /** How many pairs one file of released pairs takes. */
  remember: number
  profiles: ProfileBooks
  /** Number of the first release of the segments. */
  firstRelease: number
  /** Folder of kept journals from which lost profiles can be rebuilt. */
  audit?: string | undefined
}

/** The result of bookkeeping: a snapshot of what waits, the pairs that were released, and the profiles. */
export interface Books {
  snapshot: SnapshotFile
  released: Generation[]
  profiles: ProfileBooks
}

/** The files that a checkpoint writes. */
const filesOf = (number: number) => ({ snapshot: `snapshot-${number}.bin`, profiles: `profiles-${number}.bin` })

/** True for a file that this checkpoint wrote, completely or in part. */
export const isOfCheckpoint = (name: string, number: number) =>
  new RegExp(`^(snapshot|profiles)-${number}[-.]`).test(name)

/**
 * Folds a snapshot and segments into a new snapshot: what waits after the segments, the pairs that were released in
 * them, and the profiles of the users that the releases were shown with.
 *
 * Existing valid files are not touched, except for bytes after their valid part. So it may be stopped at any point and
 * started again. Everything is durable at the end.
 */
export async function keepBooks(files: StoreFiles, job: BookkeepingJob): Promise<Books & { damage?: string }> {
  const key = Buffer.from(job.facts.key, "hex")
  const seed = checksumSeed(key)
  const journal = await readReleases(files, job, seed)
  const dealt = new DealtRecords(journal, { ...journal, mode: job.facts.mode, seeds: secretsOf(job.facts).seeds })

  const file = await files.open(filesOf(job.number).snapshot, "make")
  let snapshot: SnapshotFile
  try {
    await file.cut(0)
    snapshot = await writeSnapshot(files, { job, seed, dealt, file })
    await file.flush()
  } finally {
    await file.close()
  }
  if (!dealt.complete)
    throw damaged(files.folder, segmentName(job.segments.first), "releases a record that is not waiting")

  const released = await addPairs(files, pairsOf(dealt), job)
  const { damage, ...profiles } = await keepProfiles(files, gainsOf(dealt), {
    held: job.profiles,
    first: job.firstRelease,
    name: filesOf(job.number).profiles,
    seed,
    audit: job.audit,
  })
  await files.flush()
  return { snapshot, released, profiles, ...(damage !== undefined && { damage }) }
}

interface JournalReleases {
  record: Float64Array
  as: Float64Array
  /** Number of the first record of the segments, and how many there are. */
  base: number
  records: number
}

async function readReleases(files: StoreFiles, { segments }: BookkeepingJob, seed: number): Promise<JournalReleases> {
  const parts: { record: Float64Array; as: Float64Array }[] = []
  let base: number | undefined
  let records = 0
  let releases = 0
  for await (const frames of readFrames(files, { segments, seed })) {
    for (const frame of frames) {
      base ??= frame.firstRecord
      records += frame.records.count
      releases += frame.deals.record.length
      // Copies, so that the frame is not kept.
      if (frame.deals.record.length > 0) parts.push({ record: frame.deals.record.slice(), as: frame.deals.as.slice() })
    }
  }
  const record = new Float64Array(releases)
  const as = new Float64Array(releases)
  let at = 0
  for (const part of parts) {
    record.set(part.record, at)
    as.set(part.as, at)
    at += part.record.length
  }
  return { record, as, records, base: base ?? 0 }
}

/** A block is copied unchanged if it has at least this many records and none of them changes. */
const worthCopying = 1 << 15

async function writeSnapshot(
  files: StoreFiles,
  { job, seed, dealt, file }: { job: BookkeepingJob; seed: number; dealt: DealtRecords; file: StoreFile },
): Promise<SnapshotFile> {
  const out = new SnapshotWriter(file, { seed })
  const place = { number: 0, parts: 0 }
  const passAll = async (records: StoredRecords, numberOf: (i: number) => number, partsOf: (i: number) => number) => {
    for (let i = 0; i < records.count; i++) {
      place.number = numberOf(i)
      place.parts = partsOf(i)
      place.parts = dealt.pass(records, i, place)
      if (place.parts === 0) continue
      if (out.full) await out.flush()
      out.add(records, i, place)
    }
    dealt.endBlock(records)
  }
  if (job.snapshot.name !== "") {
    for await (const block of readSnapshot(files, { snapshot: job.snapshot, seed })) {
      const { records, number, parts } = block.waiting
      if (records.count >= worthCopying && !dealt.touches(number[records.count - 1])) await out.copy(block)
      else
        await passAll(
          records,
          (i) => number[i],
          (i) => parts[i],
        )
    }
  }
  for await (const frames of readFrames(files, { segments: job.segments, seed, trusted: true })) {
    for (const { records, firstRecord } of frames) {
      await passAll(
        records,
        (i) => firstRecord + i,
        () => 3,
      )
    }
  }
  await out.flush()
  return { name: filesOf(job.number).snapshot, bytes: out.bytes, records: out.records }
}

/** The two words of the pair of each release, in order. */
function pairsOf({ record, pair }: DealtRecords): Uint32Array {
  const words = new Uint32Array(record.length * 2)
  for (let i = 0; i < record.length; i++) {
    words[i * 2] = pair[record[i] * 2]
    words[i * 2 + 1] = pair[record[i] * 2 + 1]
  }
  return words
}

/** What the releases add to the profiles: (user shown, topic) pairs, sorted and counted. */
function gainsOf({ record, as, topic, user, users }: DealtRecords): ProfileGains {
  let topics = 1
  for (let i = 0; i < record.length; i++) if (topic[record[i]] >= topics) topics = topic[record[i]] + 1
  const keys = new Float64Array(record.length)
  let used = 0
  for (let i = 0; i < record.length; i++)
    if (topic[record[i]] >= 0) keys[used++] = user[as[i]] * topics + topic[record[i]]
  const sorted = keys.subarray(0, used).sort()

  const starts = new Uint32Array(users.size + 1)
  const node = new Int32Array(used)
  const count = new Float64Array(used)
  let entries = 0
  let owner = 0
  for (let i = 0; i < used; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) {
      count[entries - 1]++
      continue
    }
    const who = Math.floor(sorted[i] / topics)
    while (owner < who) starts[++owner] = entries
    node[entries] = sorted[i] - who * topics
    count[entries++] = 1
  }
  while (owner < users.size) starts[++owner] = entries
  return { users, starts, node, count }
}
