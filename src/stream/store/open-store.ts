import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openFiles, type StoreFiles } from "../../files/folder-files.ts"
import { lockFolder } from "../../files/lock.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { Archive } from "./archive.ts"
import { type BooksKeeper, openBookkeeper } from "./bookkeeper.ts"
import { checksumSeed } from "./envelope.ts"
import { Journal } from "./journal.ts"
import { findDamage, putAside } from "./keep-profiles.ts"
import { LiveStore } from "./live-store.ts"
import { checkJournal, readFrames } from "./read-journal.ts"
import { readPairs } from "./released-pairs.ts"
import { readSnapshot } from "./snapshot.ts"
import type { Recovered, StreamStore } from "./store.ts"
import { type Checkpoint, readCheckpoint, readStoreFacts, type StoreFacts } from "./store-facts.ts"
import { beginStore, sweep, takeFolder, unusable } from "./store-folder.ts"

/** What a store is for, and how often it makes a checkpoint. */
export interface StoreOptions {
  mode: StoreFacts["mode"]
  /** Fingerprint of the taxonomy, because topics are stored by number. */
  taxonomy: string
  /**
   * After how many seconds a journal that grew is due for a checkpoint; proportionally longer if the snapshot is over
   * 64 MiB.
   */
  checkpointSeconds?: number
  /** How many released pairs a generation holds; one or two generations are remembered. */
  remember?: number
  /** Called when the disk has no room for the journal or for a checkpoint, and when it has room again. */
  onFull?(full: boolean, what: "journal" | "checkpoint"): void
  /** Called when the profiles of users are damaged, with what was done about it. The stream continues. */
  onDamage?(message: string): void
  /** Private folder for the journals that the store no longer needs (default: none are kept). */
  audit?: string | undefined
  /** Current time in milliseconds. */
  now(): number
}

/** The parts that a store depends on. A test can make each of them fail. */
export interface StoreParts {
  /** The files of a store. */
  files(folder: string): StoreFiles
  /** Locks the folder for this process. Returns the function that unlocks it. */
  lock(folder: string): Promise<() => Promise<void>>
  /** Makes snapshots and profiles from closed journals. */
  bookkeeper(): BooksKeeper
  /** Waits before the next attempt on a full disk. */
  pause(milliseconds: number): Promise<void>
}

/** The parts that a store uses outside of tests. */
export const storeParts: StoreParts = {
  files: openFiles,
  lock: (folder) => lockFolder(folder, { place: "the store", busy: storeBusy }),
  bookkeeper: openBookkeeper,
  pause: (milliseconds) => wait(milliseconds),
}

function storeBusy(folder: string): QueryveilError {
  return new QueryveilError(
    "store-busy",
    `${folder}: another process runs a stream on this store. Stop it first, or give this one a store of its own.`,
    { file: folder },
  )
}

const defaults = { checkpointSeconds: 60, remember: 10_000_000, audit: undefined, onFull: () => {}, onDamage: () => {} }

/**
 * Opens the store of a stream, or creates one in an empty folder. The store belongs to this process alone until it is
 * closed or the process ends. Refuses a folder with other content, a store of another mode or taxonomy, and a damaged
 * store.
 */
export async function openStore(
  folder: string,
  given: StoreOptions,
  parts: StoreParts = storeParts,
): Promise<StreamStore> {
  const options = { ...defaults, ...given }
  try {
    await takeFolder(parts.files(folder))
    const unlock = await parts.lock(folder)
    return await openLocked(folder, options, { parts, unlock })
  } catch (error) {
    throw unusable(folder, error)
  }
}

async function openLocked(
  folder: string,
  options: Required<StoreOptions>,
  { parts, unlock }: { parts: StoreParts; unlock: () => Promise<void> },
): Promise<StreamStore> {
  const files = parts.files(folder)
  try {
    const facts = await takeFacts(files, options)
    const key = Buffer.from(facts.key, "hex")
    const seed = checksumSeed(key)
    const checkpoint = await takeProfiles(files, await readCheckpoint(files, facts), { seed, warn: options.onDamage })
    const { segments, cut } = await checkJournal(files, { first: checkpoint.segment, seed })
    const archive = options.audit === undefined ? undefined : await Archive.open(options.audit, facts, seed)
    await archive?.takeUp(files, checkpoint)
    await sweep(files, checkpoint)
    const recovered: Recovered = {
      boundary: checkpoint.boundary,
      records: checkpoint.snapshot.name === "" ? 0 : checkpoint.snapshot.records,
      cut,
      async *waiting() {
        if (checkpoint.snapshot.name === "") return
        for await (const { waiting } of readSnapshot(files, { snapshot: checkpoint.snapshot, seed })) yield waiting
      },
      released: () => readPairs(files, checkpoint.released),
      async *frames() {
        for await (const frames of readFrames(files, { segments, seed })) yield* frames
      },
    }
    const journal = new Journal(files, {
      segment: segments.first + segments.lengths.length - 1,
      length: segments.lengths[segments.lengths.length - 1],
      seed,
      onFull: (full) => options.onFull(full, "journal"),
      pause: parts.pause,
    })
    return new LiveStore({ files, facts, checkpoint, segments, journal, recovered, options, parts, unlock, archive })
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Reads the facts of the store. A new store is created here, and its facts are written last. */
async function takeFacts(files: StoreFiles, { mode, taxonomy }: StoreOptions): Promise<StoreFacts> {
  const facts = await readStoreFacts(files)
  if (facts === undefined) {
    const key = randomBytes(32).toString("hex")
    const begun: StoreFacts = { queryveilStore: 1, mode, taxonomy, key, dealing: 2 }
    await beginStore(files, begun)
    return begun
  }
  if (facts.follows !== undefined)
    throw mismatch(files, "keeps the profiles of a group of workers (stream profiles follow)")
  if (facts.mode !== mode) throw mismatch(files, `was started in mode ${facts.mode}, not ${mode}`)
  if (facts.taxonomy !== taxonomy)
    throw mismatch(files, "was started with another taxonomy, and keeps topics by number")
  return facts
}

function mismatch({ folder }: StoreFiles, what: string): QueryveilError {
  return new QueryveilError(
    "store-mismatch",
    `${folder}: ${what}. Use the options that it was started with, or start a new store in another folder.`,
    { file: folder },
  )
}

/**
 * The checkpoint as it is. If its profiles are damaged, they are put aside, and the checkpoint has empty profiles that
 * begin at its boundary.
 */
async function takeProfiles(
  files: StoreFiles,
  checkpoint: Checkpoint,
  { seed, warn }: { seed: number; warn(message: string): void },
): Promise<Checkpoint> {
  const { releases } = checkpoint.boundary.output
  if ((await files.list()).includes(earlierProfiles))
    warn(
      [
        `${join(files.folder, earlierProfiles)}: profiles of version 0.1 are not read.`,
        `Profiles count what was shown from release ${checkpoint.profiles.from} on.`,
        "Export the old ones with version 0.1 from a copy of the store, then remove this folder.",
      ].join(" "),
    )
  const found = await findDamage(files, { runs: checkpoint.profiles.runs, seed })
  if (found === undefined) return checkpoint
  const { name } = found.run
  await putAside(files, checkpoint.profiles.runs)
  warn(
    [
      `${join(files.folder, name)}: ${found.what} (store-damaged).`,
      "The profiles were set aside (profiles-N.bin.damaged), and the stream goes on.",
      `Profiles count what is shown from release ${releases} on.`,
      "If the audit (--audit) has every release, they are rebuilt from it.",
    ].join(" "),
  )
  return { ...checkpoint, profiles: { from: releases, runs: [] } }
}

/** Folder of the profiles in a store of version 0.1. */
const earlierProfiles = "profiles"
