import type { StoreFile, StoreFiles } from "../../files/folder-files.ts"
import { systemCode } from "../../kernels/error.ts"
import { ColumnReader, ColumnWriter } from "./columns.ts"
import { DamagedProfiles } from "./damage.ts"
import { envelopeBytes, makeEnvelope, sealEnvelope } from "./envelope.ts"
import { addCounts, VarintReader, VarintWriter } from "./profile-codec.ts"
import { readEnvelopes } from "./read-envelopes.ts"

/** A file of profiles, each user once, sorted by the bytes of the name; and how much of the file is valid. */
export interface ProfileRun {
  name: string
  bytes: number
  users: number
}

/** A user and their profile as bytes. Both are valid until the next step. */
export interface StoredProfile {
  user: Uint8Array
  counts: Uint8Array
}

/** Profiles in order, one at a time. */
export interface ProfileCursor {
  /** The current profile. */
  readonly now: StoredProfile
  /** Moves to the next profile; false if more must be loaded first. */
  step(): boolean
  /** Loads more and moves to its first profile; false at the end. */
  load(): Promise<boolean>
}

const leadBytes = 8
const blockBytes = 1 << 20

/** Reads a file of profiles. If the file is not as it was written, an error is thrown while reading. */
export class RunCursor implements ProfileCursor {
  readonly now: StoredProfile = { user: nothing, counts: nothing }
  readonly #blocks: AsyncGenerator<{ users: number; entries: VarintReader }>
  #block = { users: 0, entries: new VarintReader(nothing) }

  constructor(file: StoreFile, options: { run: ProfileRun; seed: number; folder: string }) {
    this.#blocks = readBlocks(file, options)
  }

  step(): boolean {
    if (this.#block.users === 0) return false
    this.#block.users--
    this.now.user = this.#block.entries.nextBytes()
    this.now.counts = this.#block.entries.nextBytes()
    return true
  }

  async load(): Promise<boolean> {
    const next = await this.#blocks.next()
    if (next.done === true) return false
    this.#block = next.value
    return this.step()
  }
}

const nothing = new Uint8Array(0)

async function* readBlocks(
  file: StoreFile,
  { run, seed, folder }: { run: ProfileRun; seed: number; folder: string },
): AsyncGenerator<{ users: number; entries: VarintReader }> {
  let read = 0
  let count = 0
  for await (const found of readEnvelopes(file, { kind: "profiles", seed, end: run.bytes })) {
    for (const { bytes } of found) {
      const source = new ColumnReader(bytes, envelopeBytes)
      const [users, used] = source.uint32(2)
      read += bytes.length
      count += users
      yield { users, entries: new VarintReader(source.uint8(used)) }
    }
  }
  if (read !== run.bytes) throw new DamagedProfiles(folder, run.name, `is damaged at byte ${read}`)
  if (count !== run.users) throw new DamagedProfiles(folder, run.name, "does not have the expected users")
}

/**
 * Opens a file of profiles. A missing file counts as damaged; an error that may pass, such as too many open files, does
 * not.
 */
export async function openRun(files: StoreFiles, { name }: ProfileRun): Promise<StoreFile> {
  try {
    return await files.open(name, "read")
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error
    throw new DamagedProfiles(files.folder, name, "is missing")
  }
}

/** Reads a file to its end. Throws if it is not as it was written. */
export async function checkRun(files: StoreFiles, options: { run: ProfileRun; seed: number }): Promise<void> {
  const file = await openRun(files, options.run)
  try {
    for await (const _block of readBlocks(file, { ...options, folder: files.folder }));
  } finally {
    await file.close()
  }
}

/** Yields every user once, in order, with the sum of their profiles. */
export async function* mergeProfiles(cursors: readonly ProfileCursor[]): AsyncGenerator<StoredProfile> {
  const live: ProfileCursor[] = []
  for (const cursor of cursors) if (await cursor.load()) live.push(cursor)
  const sums = [new VarintWriter(), new VarintWriter()]
  const [one, other] = [new VarintReader(nothing), new VarintReader(nothing)]
  while (live.length > 0) {
    const same = leastOf(live)
    const profile = same[0].now
    let counts = profile.counts
    for (const cursor of same.slice(1)) {
      const sum = sums.reverse()[0] // the other one holds the previous sum
      sum.at = 0
      one.open(counts)
      other.open(cursor.now.counts)
      addCounts(sum, one, other)
      counts = sum.written()
    }
    yield { user: profile.user, counts }
    for (const cursor of same) if (!(cursor.step() || (await cursor.load()))) live.splice(live.indexOf(cursor), 1)
  }
}

/** The cursors that are at the first user. */
function leastOf(cursors: readonly ProfileCursor[]): ProfileCursor[] {
  if (cursors.length === 1) return [cursors[0]]
  let least: ProfileCursor[] = []
  for (const cursor of cursors) {
    const order = least.length === 0 ? -1 : Buffer.compare(cursor.now.user, least[0].now.user)
    if (order < 0) least = [cursor]
    else if (order === 0) least.push(cursor)
  }
  return least
}

/** Writes sorted profiles to a new file, and makes it durable. */
export async function writeRun(
  files: StoreFiles,
  profiles: AsyncIterable<StoredProfile>,
  { name, seed }: { name: string; seed: number },
): Promise<ProfileRun> {
  const run = { name, bytes: 0, users: 0 }
  const block = new VarintWriter()
  let users = 0
  const file = await files.open(name, "make")
  const flush = async () => {
    if (users === 0) return
    const bytes = makeEnvelope(leadBytes + block.at)
    const out = new ColumnWriter(bytes, envelopeBytes)
    out.put(Uint32Array.of(users, block.at))
    out.put(new Uint8Array(block.written()))
    out.close()
    sealEnvelope(bytes, { kind: "profiles", seed })
    await file.write(bytes, run.bytes)
    run.bytes += bytes.length
    run.users += users
    users = 0
    block.at = 0
  }
  try {
    await file.cut(0)
    for await (const { user, counts } of profiles) {
      block.putBytes(user)
      block.putBytes(counts)
      users++
      if (block.at >= blockBytes) await flush()
    }
    await flush()
    await file.flush()
  } finally {
    await file.close()
  }
  return run
}
