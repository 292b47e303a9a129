import { setTimeout as wait } from "node:timers/promises"
import { openFiles, type StoreFiles } from "../../files/folder-files.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { checksumSeed } from "./envelope.ts"
import type { StoredRecords } from "./frame.ts"
import { segmentName } from "./journal.ts"
import type { Profiles, TopicCount } from "./profiles.ts"
import { readFrames, readWholeLength, type Segments } from "./read-journal.ts"
import { readSnapshot } from "./snapshot.ts"
import { type Checkpoint, readCheckpoint } from "./store-facts.ts"

/** The profiles of everything that was released so far. */
export interface CurrentProfiles {
  /** Releases that are in the profiles: all with a smaller number. */
  releases: number
  /** The settings in force, as JSON; empty before the first run. */
  settings: string
  /** Every user once, with topics sorted by node. May be read once. */
  all(): Iterable<{ user: string; counts: TopicCount[] }>
}

const tries = 20
const pause = 100

/**
 * Reads the profiles as they stand now: those of the last checkpoint, and what the journal has released since. The stream
 * may run meanwhile; when it makes a checkpoint in between, everything is read again.
 */
export async function readCurrentProfiles(folder: string, profiles: Profiles): Promise<CurrentProfiles> {
  const files = openFiles(folder)
  for (let attempt = 1; ; attempt++) {
    try {
      const before = await readCheckpoint(files, profiles.facts)
      const applied = profiles.appliedReleases
      const stored = profiles.all()[Symbol.iterator]()
      const first = stored.next() // from here on it reads the profiles of this moment
      const { gains, ...about } = await readGains(files, { checkpoint: before, applied, profiles })
      const after = await readCheckpoint(files, profiles.facts)
      if (after.number === before.number && applied === profiles.appliedReleases)
        return { ...about, all: () => joinGains(first, stored, gains) }
    } catch (error) {
      // A checkpoint removes what it is done with while it is read.
      const isPassing =
        systemCode(error) === "ENOENT" || (error instanceof QueryveilError && error.code === "store-damaged")
      if (!isPassing || attempt === tries) throw error
    }
    await wait(pause)
  }
}

type Stored = Iterator<{ user: Uint8Array; counts: TopicCount[] }>
/** By user: what topics gained. */
type Gains = Map<string, Map<number, number>>

function* joinGains(first: ReturnType<Stored["next"]>, stored: Stored, gains: Gains) {
  for (let next = first; next.done !== true; next = stored.next()) {
    const user = Buffer.from(next.value.user).toString("utf8")
    const more = gains.get(user)
    gains.delete(user)
    yield { user, counts: more === undefined ? next.value.counts : addGains(next.value.counts, more) }
  }
  for (const [user, more] of gains) yield { user, counts: addGains([], more) }
}

function addGains(counts: readonly TopicCount[], more: ReadonlyMap<number, number>): TopicCount[] {
  const sums = new Map(counts.map(({ node, count }) => [node, count]))
  for (const [node, count] of more) sums.set(node, (sums.get(node) ?? 0) + count)
  return [...sums].map(([node, count]) => ({ node, count })).sort((a, b) => a.node - b.node)
}

async function readGains(
  files: StoreFiles,
  { checkpoint, applied, profiles }: { checkpoint: Checkpoint; applied: number; profiles: Profiles },
): Promise<{ releases: number; settings: string; gains: Gains }> {
  const seed = checksumSeed(Buffer.from(profiles.facts.key, "hex"))
  const segments = await wholeSegments(files, { first: checkpoint.segment, seed })
  const deals: { record: number; as: number }[] = []
  const needed = new Set<number>()
  let releases = checkpoint.boundary.output.releases
  let { settings } = checkpoint.boundary
  for await (const frames of readFrames(files, { segments, seed })) {
    for (const { firstRelease, deals: dealt, change } of frames) {
      if (change !== "") settings = change
      releases = firstRelease + dealt.record.length
      for (let i = 0; i < dealt.record.length; i++) {
        if (firstRelease + i < applied) continue
        deals.push({ record: dealt.record[i], as: dealt.as[i] })
        needed.add(dealt.record[i]).add(dealt.as[i])
      }
    }
  }
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
  const gains: Gains = new Map()
  for (const { record, as } of deals) {
    const [search, shown] = [found.get(record), found.get(as)]
    if (search === undefined || shown === undefined)
      throw new QueryveilError("store-damaged", `${files.folder}: lets a record go that does not wait.`)
    if (search.topic < 0) continue
    const more = gains.get(shown.user) ?? new Map<number, number>()
    gains.set(shown.user, more.set(search.topic, (more.get(search.topic) ?? 0) + 1))
  }
  return { releases: Math.max(releases, applied), settings, gains }
}

/** The journals from `first` on, as far as they are whole now. Changes nothing. */
async function wholeSegments(files: StoreFiles, { first, seed }: { first: number; seed: number }): Promise<Segments> {
  const names = new Set(await files.list())
  const lengths: number[] = []
  for (let segment = first; names.has(segmentName(segment)); segment++)
    lengths.push(await readWholeLength(files, segmentName(segment), seed))
  return { first, lengths }
}
