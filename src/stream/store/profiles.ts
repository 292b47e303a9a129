import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { getSystemErrorName } from "node:util"
import { open, type RootDatabase } from "lmdb"
import { openFiles } from "../../files/folder-files.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { growInt32 } from "../grow.ts"
import {
  aboutKey,
  addCounts,
  firstUserKey,
  isLong,
  longestKey,
  readCounts,
  userKey,
  VarintReader,
  VarintWriter,
} from "./profile-codec.ts"
import { readStoreFacts, type StoreFacts } from "./store-facts.ts"

/** How many records of a topic were shown under a user. */
export interface TopicCount {
  /** Node of the taxonomy. */
  node: number
  count: number
}

/** The profiles as of the last checkpoint, at each call; the stream may run meanwhile, in another process. */
export interface Profiles {
  readonly facts: StoreFacts
  /** Releases that are in the profiles: all with a smaller number. */
  readonly appliedReleases: number
  /** Sorted by node; empty for a user whom nothing was shown with. */
  find(user: Uint8Array | string): TopicCount[]
  /** Every user once, in the order of the bytes of the name; long names at the end. */
  all(): Iterable<{ user: Uint8Array; counts: TopicCount[] }>
  /** By node: the users who have it in their profile. */
  countUsersPerTopic(): Map<number, number>
  /** Closes the books; nothing can be asked afterwards. */
  close(): Promise<void>
}

const profilesFolder = "profiles"
const lockBytes = 1 << 16

function openDatabase(folder: string, options: { readOnly: boolean }): RootDatabase<Buffer, Buffer> {
  const settings = {
    path: join(folder, profilesFolder),
    encoding: "binary" as const,
    keyEncoding: "binary" as const,
    readOnly: options.readOnly,
    overlappingSync: false, // a commit is durable when it returns
    permissionsMode: 0o600,
    noSubdir: false,
    maxDbs: 1,
  }
  return open<Buffer, Buffer>(settings)
}

/** Opens the profiles of a store, to read. */
export async function openProfiles(folder: string): Promise<Profiles> {
  const facts = await readStoreFacts(openFiles(folder))
  if (facts === undefined)
    throw new QueryveilError("store-foreign", `${folder}: is no store of a stream. Give the folder of --store.`, {
      file: folder,
    })
  const begun = await stat(join(folder, profilesFolder, "data.mdb")).catch(() => undefined)
  const database = begun === undefined ? undefined : openDatabase(folder, { readOnly: true })
  const entries = () => database?.getRange({ start: firstUserKey }) ?? []
  return {
    facts,
    get appliedReleases() {
      return readApplied(database)
    },
    find: (user) => {
      const key = userKey(typeof user === "string" ? Buffer.from(user) : user)
      const value = database?.getBinary(key)
      return value === undefined ? [] : readCounts(profileIn(key, value).counts)
    },
    *all() {
      for (const { key, value } of entries()) {
        const { user, counts } = profileIn(key, value)
        yield { user, counts: readCounts(counts) }
      }
    },
    countUsersPerTopic: () => {
      let users = new Int32Array(1 << 17)
      for (const { key, value } of entries()) {
        const { counts } = profileIn(key, value)
        for (let node = 0; counts.at < counts.end; users[node]++) {
          node += counts.next()
          counts.next()
          if (node >= users.length) users = growInt32(users, node + 1)
        }
      }
      return new Map([...users.entries()].filter(([, count]) => count > 0))
    },
    close: async () => {
      await database?.close()
    },
  }
}

function profileIn(key: Uint8Array, value: Uint8Array): { user: Uint8Array; counts: VarintReader } {
  const counts = new VarintReader(value)
  if (!isLong(key)) return { user: key.subarray(1), counts }
  const length = skipName(counts)
  return { user: value.subarray(counts.at - length, counts.at), counts }
}

/** Goes past the name in front of a profile, and gives its length. */
function skipName(counts: VarintReader): number {
  const length = counts.next()
  counts.at += length
  return length
}

function readApplied(database: RootDatabase<Buffer, Buffer> | undefined): number {
  const about = database?.getBinary(aboutKey)
  return about === undefined ? 0 : about.readDoubleLE()
}

/** What profiles gain: counts [starts[i], starts[i + 1]) belong to user i, sorted by topic. */
export interface ProfileGains {
  users: { size: number; arena: Uint8Array; offsets: Uint32Array }
  starts: Uint32Array
  node: Int32Array
  count: Float64Array
}

/**
 * Adds to the profiles what the releases up to `until` give, in one transaction that also says so. `gain` is told the number
 * of the first release that is not in them yet, so that a checkpoint that is made a second time counts nothing twice.
 */
export async function updateProfiles(
  folder: string,
  options: { until: number; gain(from: number): ProfileGains },
): Promise<void> {
  await makeRoom(join(folder, profilesFolder))
  const database = openDatabase(folder, { readOnly: false })
  try {
    const applied = readApplied(database)
    if (applied >= options.until) return
    const gains = options.gain(applied)
    database.transactionSync(() => {
      writeGains(database, gains)
      const about = Buffer.alloc(8)
      about.writeDoubleLE(options.until)
      database.putSync(aboutKey, about)
    })
    await database.flushed
  } catch (error) {
    throw namedError(error)
  } finally {
    await database.close()
  }
}

/** LMDB gives the system's errors as numbers. */
function namedError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "number" || error.code <= 0) return error
  return Object.assign(new Error(error.message, { cause: error }), { code: getSystemErrorName(-error.code) })
}

/**
 * LMDB shares its lock file through memory and makes it as long as it needs without writing it: on a full disk the first touch
 * of a page would kill the process. So it is written here, where a full disk is an error that can be waited out.
 */
async function makeRoom(place: string): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 })
  const lock = join(place, "lock.mdb")
  const held = await stat(lock).catch(() => undefined)
  if (held === undefined || held.size < lockBytes) await writeFile(lock, new Uint8Array(lockBytes), { mode: 0o600 })
}

function writeGains(database: RootDatabase<Buffer, Buffer>, { users, starts, node, count }: ProfileGains): void {
  const out = new VarintWriter()
  const old = new VarintReader(nothing)
  const keyRoom = Buffer.alloc(longestKey)
  const gain = { node, count, from: 0, to: 0 }
  for (const user of nearbyFirst(users)) {
    gain.from = starts[user]
    gain.to = starts[user + 1]
    if (gain.from === gain.to) continue
    const name = users.arena.subarray(users.offsets[user], users.offsets[user + 1])
    const key = userKey(name, keyRoom)
    const held = database.getBinaryFast(key)
    old.open(held ?? nothing)
    out.at = 0
    if (isLong(key)) {
      if (held !== undefined) skipName(old)
      out.reserve(name.length)
      out.put(name.length)
      out.bytes.set(name, out.at)
      out.at += name.length
    }
    addCounts(out, old, gain)
    database.putSync(key, out.bytes.subarray(0, out.at)) // copied before it returns
  }
}

const nothing = new Uint8Array(0)

/**
 * The users, those with the same first bytes together: pages of the tree are then touched one after the other, which makes
 * looking up and writing several times faster.
 */
function nearbyFirst({ size, arena, offsets }: ProfileGains["users"]): Uint32Array {
  const prefixes = [0, 4].map((skip) => {
    const words = new Uint32Array(size)
    for (let user = 0; user < size; user++) {
      const start = offsets[user] + skip
      const end = offsets[user + 1]
      for (let i = start; i < start + 4; i++) words[user] = words[user] * 256 + (i < end ? arena[i] : 0)
    }
    return words
  })
  return orderByNumbers(prefixes)
}
