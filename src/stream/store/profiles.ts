import { setTimeout as wait } from "node:timers/promises"
import { openFiles, type StoreFile, type StoreFiles } from "../../files/folder-files.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { checksumSeed } from "./envelope.ts"
import type { StoredRecords } from "./frame.ts"
import { segmentName } from "./journal.ts"
import { readCounts, VarintReader } from "./profile-codec.ts"
import { GainsBuilder } from "./profile-gains.ts"
import { mergeProfiles, openRun, RunCursor } from "./profile-runs.ts"
import { type JournalSegments, readFrames, readWholeLength } from "./read-journal.ts"
import { readSnapshot } from "./snapshot.ts"
import { type Checkpoint, readCheckpoint, readStoreFacts, type StoreFacts } from "./store-facts.ts"

/** How many records of a topic were shown under a user. */
export interface TopicCount {
  /** Node of the taxonomy. */
  node: number
  count: number
}

/** A user, with topics sorted by node. */
export interface UserProfile {
  user: string
  counts: TopicCount[]
}

/** The profiles of everything that was released when they were opened. */
export interface Profiles {
  readonly facts: StoreFacts
  /** The profiles include the releases from this number on, … */
  readonly from: number
  /** … up to but not including this number. */
  readonly releases: number
  /** At most this many releases of a group of workers were deleted before they were counted. */
  readonly lost: number
  /** The settings in force, as JSON; empty before the first run. */
  readonly settings: string
  /** Every user once. */
  all(): AsyncIterable<UserProfile>
  /** Closes the files; nothing can be read afterwards. */
  close(): Promise<void>
}

const tries = 20
const pause = 100

/**
 * Reads the current profiles: those of the last checkpoint, and what the journal has released since. The stream may be
 * running meanwhile in another process. If it makes a checkpoint in between, everything is read again.
 */
export async function openProfiles(folder: string): Promise<Profiles> {
  const files = openFiles(folder)
  const facts = await readStoreFacts(files)
  if (facts === undefined)
    throw new QueryveilError("store-foreign", `${folder}: not a store of a stream. Give the folder of --store.`, {
      file: folder,
    })
  for (let attempt = 1; ; attempt++) {
    const checkpoint = await readCheckpoint(files, facts)
    const opened: StoreFile[] = []
    const close = async () => {
      for (const file of opened) await file.close()
    }
    try {
      for (const run of checkpoint.profiles.runs) opened.push(await openRun(files, run))
      const seed = checksumSeed(Buffer.from(facts.key, "hex"))
      const { gains, ...about } = await readGains(files, { checkpoint, seed })
      if ((await readCheckpoint(files, facts)).number === checkpoint.number) {
        const cursors = () =>
          checkpoint.profiles.runs.map((run, i) => new RunCursor(opened[i], { run, seed, folder: files.folder }))
        const { lost = 0 } = checkpoint.boundary.totals
        return { facts, from: checkpoint.profiles.from, ...about, lost, all: () => joinGains(cursors(), gains), close }
      }
    } catch (error) {
      // A checkpoint may remove files that are no longer needed while they are being read.
      const isPassing =
        systemCode(error) === "ENOENT" || (error instanceof QueryveilError && error.code === "store-damaged")
      if (!isPassing || attempt === tries) {
        await close()
        throw error
      }
    }
    await close()
    await wait(pause)
  }
}

type Gains = GainsBuilder["counts"]

async function* joinGains(cursors: readonly RunCursor[], gains: Gains): AsyncGenerator<UserProfile> {
  const joined = new Set<string>()
  for await (const { user: name, counts: bytes } of mergeProfiles(cursors)) {
    const user = Buffer.from(name).toString("utf8")
    const counts = readCounts(new VarintReader(bytes))
    const more = gains.get(user)
    if (more !== undefined) joined.add(user)
    yield { user, counts: more === undefined ? counts : addGains(counts, more) }
  }
  for (const [user, more] of gains) if (!joined.has(user)) yield { user, counts: addGains([], more) }
}

function addGains(counts: readonly TopicCount[], more: ReadonlyMap<number, number>): TopicCount[] {
  const sums = new Map(counts.map(({ node, count }) => [node, count]))
  for (const [node, count] of more) sums.set(node, (sums.get(node) ?? 0) + count)
  return [...sums].map(([node, count]) => ({ node, count })).sort((a, b) => a.node - b.node)
}

/** Counts what the journal has released since the checkpoint. */
async function readGains(
  files: StoreFiles,
  { checkpoint, seed }: { checkpoint: Checkpoint; seed: number },
): Promise<{ releases: number; settings: string; gains: Gains }> {
  const segments = await wholeSegments(files, { first: checkpoint.segment, seed })
  const { deals, releases, settings } = await readDeals(files, { checkpoint, segments, seed })
  const needed = new Set(deals.flatMap(({ record, as }) => [record, as]))
  const found = await findRecords(files, { checkpoint, segments, seed, needed })
  const gains = new GainsBuilder()
  for (const { record, as } of deals) {
    const [search, shown] = [found.get(record), found.get(as)]
    if (search === undefined || shown === undefined)
      throw new QueryveilError("store-damaged", `${files.folder}: releases a record that is not waiting.`)
    gains.add(shown.user, search.topic)
  }
  return { releases, settings, gains: gains.counts }
}

interface JournalSince {
  checkpoint: Checkpoint
  segments: JournalSegments
  seed: number
}

/** What the journal has dealt since the checkpoint, and the number of releases and the settings at its end. */
async function readDeals(files: StoreFiles, { checkpoint, segments, seed }: JournalSince) {
  const deals: { record: number; as: number }[] = []
  let { releases } = checkpoint.boundary.output
  let { settings } = checkpoint.boundary
  for await (const frames of readFrames(files, { segments, seed })) {
    for (const { firstRelease, deals: dealt, change } of frames) {
      if (change !== "") settings = change
      releases = firstRelease + dealt.record.length
      for (let i = 0; i < dealt.record.length; i++) deals.push({ record: dealt.record[i], as: dealt.as[i] })
    }
  }
  return { deals, releases, settings }
}

/** User and topic of the needed records, by number, from the snapshot and the journal. */
async function findRecords(
  files: StoreFiles,
  { checkpoint, segments, seed, needed }: JournalSince & { needed: ReadonlySet<number> },
): Promise<Map<number, { user: string; topic: number }>> {
  const found = new Map<number, { user: string; topic: number }>()
  const note = (records: StoredRecords, i: number, number: number) => {
    if (!needed.has(number)) return
    const start = i === 0 ? 0 : records.ends[i * 3 - 1]
    const user = Buffer.from(records.arena.subarray(start, records.ends[i * 3])).toString("utf8")
    found.set(number, { user, topic: records.topic[i] })
  }
  if (needed.size > 0 && checkpoint.snapshot.name !== "") {
    for await (const { waiting } of readSnapshot(files, { snapshot: checkpoint.snapshot, seed }))
      for (let i = 0; i < waiting.records.count; i++) note(waiting.records, i, waiting.number[i])
  }
  for await (const frames of readFrames(files, { segments, seed, trusted: true }))
    for (const { firstRecord, records } of frames)
      for (let i = 0; i < records.count; i++) note(records, i, firstRecord + i)
  return found
}

/** The journals from `first` on, as far as they are complete now. Changes nothing. */
async function wholeSegments(
  files: StoreFiles,
  { first, seed }: { first: number; seed: number },
): Promise<JournalSegments> {
  const names = new Set(await files.list())
  const lengths: number[] = []
  for (let segment = first; names.has(segmentName(segment)); segment++)
    lengths.push(await readWholeLength(files, segmentName(segment), seed))
  return { first, lengths }
}
