import { randomBytes } from "node:crypto"
import { passes, type StoreFiles } from "../../files/folder-files.ts"
import { lockFolder } from "../../files/lock.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { DamagedProfiles, damaged } from "./damage.ts"
import { checksumSeed } from "./envelope.ts"
import { addRun, findDamage } from "./keep-profiles.ts"
import { type StoreParts, storeParts } from "./open-store.ts"
import { positionsFrom, positionsText } from "./positions.ts"
import type { ProfileGains } from "./profile-gains.ts"
import type { ProfileRun } from "./profile-runs.ts"
import { type Checkpoint, readCheckpoint, readStoreFacts, type StoreFacts, writeCheckpoint } from "./store-facts.ts"
import { beginStore, sweep, takeFolder, unusable } from "./store-folder.ts"

/** The group of workers whose releases a store counts. */
export interface FollowedGroup {
  name: string
  /** The check value of the group's first secret: a group of the same name that was begun again has another. */
  check: string
  /** Fingerprint of the taxonomy, because topics are stored by number. */
  taxonomy: string
}

/** How far the releases of a group were counted. */
export interface FollowedSoFar {
  /** The position after the last release that was counted, in the notation of its reader; empty at the beginning. */
  position: string
  /** Number of releases that were counted. */
  releases: number
  /** At most this many releases were deleted before they were counted. */
  lost: number
  /** The settings in force, as JSON. */
  settings: string
}

type Parts = Pick<StoreParts, "files" | "lock" | "pause">

const parts: Parts = {
  ...storeParts,
  lock: (folder) => lockFolder(folder, { place: "the store", busy: followedBusy }),
}

const [firstPause, longestPause] = [1000, 5000]

/**
 * Profiles of users, counted from releases that workers made. They are in the same form as those of a stream, so that
 * `openProfiles` reads them. A checkpoint has the profiles and the position of the reader together: one of both alone
 * never survives a crash.
 */
export class FollowedProfiles {
  readonly #files: StoreFiles
  readonly #facts: StoreFacts
  readonly #parts: Parts
  readonly #unlock: () => Promise<void>
  #checkpoint: Checkpoint

  private constructor(at: {
    files: StoreFiles
    facts: StoreFacts
    checkpoint: Checkpoint
    parts: Parts
    unlock: () => Promise<void>
  }) {
    this.#files = at.files
    this.#facts = at.facts
    this.#parts = at.parts
    this.#unlock = at.unlock
    this.#checkpoint = at.checkpoint
  }

  /**
   * Opens the profiles in a folder, or begins new ones in an empty folder. They belong to this process alone until they
   * are closed. Refuses the store of a stream or of another group, and damaged files.
   */
  static async open(folder: string, group: FollowedGroup, given: Partial<Parts> = {}): Promise<FollowedProfiles> {
    const used = { ...parts, ...given }
    const files = used.files(folder)
    try {
      await takeFolder(files)
      const unlock = await used.lock(folder)
      try {
        const facts = await takeFacts(files, group)
        const checkpoint = await readCheckpoint(files, facts)
        const seed = checksumSeed(Buffer.from(facts.key, "hex"))
        const damage = await findDamage(files, { runs: checkpoint.profiles.runs, seed })
        if (damage !== undefined) throw damaged(folder, damage.run.name, damage.what)
        await sweep(files, checkpoint)
        return new FollowedProfiles({ files, facts, checkpoint, parts: used, unlock })
      } catch (error) {
        await unlock()
        throw error
      }
    } catch (error) {
      throw unusable(folder, error)
    }
  }

  /** How far the profiles go, as of the last checkpoint. */
  get soFar(): FollowedSoFar {
    const { input, output, settings, totals } = this.#checkpoint.boundary
    const position = positionsFrom(input)[this.#input] ?? ""
    return { position, releases: output.releases, lost: totals.lost ?? 0, settings }
  }

  /**
   * Adds what was shown since the last checkpoint, and how far that goes, in one step: after a crash both are there or
   * neither. Waits while the disk is full, until the signal.
   */
  async add(
    gains: ProfileGains,
    soFar: FollowedSoFar,
    { signal, onFull = () => {} }: { signal?: AbortSignal; onFull?: (isFull: boolean) => void } = {},
  ): Promise<void> {
    const { profiles, ...before } = this.#checkpoint
    const number = before.number + 1
    const name = `profiles-${number}.bin`
    const seed = checksumSeed(Buffer.from(this.#facts.key, "hex"))
    const insist = async <T>(step: () => Promise<T>): Promise<T> => {
      for (let pause = firstPause, isFull = false; ; pause = Math.min(longestPause, pause * 2)) {
        try {
          const made = await step()
          if (isFull) onFull(false)
          return made
        } catch (error) {
          if (!passes(error) || signal?.aborted) throw unusable(this.#files.folder, error)
          if (!isFull) onFull(true)
          isFull = true
          await this.#parts.pause(pause)
        }
      }
    }
    const runs = await insist(() => this.#write(gains, { runs: profiles.runs, name, seed }))
    const checkpoint: Checkpoint = {
      ...before,
      number,
      boundary: {
        ...before.boundary,
        output: { releases: soFar.releases, bytes: 0 },
        input: positionsText({ [this.#input]: soFar.position }),
        settings: soFar.settings,
        totals: { lost: soFar.lost },
      },
      profiles: { ...profiles, runs },
    }
    // From here on the new file may be part of the checkpoint on the disk, and is not touched again.
    await insist(() => writeCheckpoint(this.#files, checkpoint, this.#facts))
    this.#checkpoint = checkpoint
    for (const run of profiles.runs) if (!runs.includes(run)) await this.#files.remove(run.name)
  }

  /** Lets another process use the folder. */
  close(): Promise<void> {
    return this.#unlock()
  }

  get #input(): string {
    return this.#facts.follows?.group ?? ""
  }

  async #write(
    gains: ProfileGains,
    { runs, name, seed }: { runs: readonly ProfileRun[]; name: string; seed: number },
  ): Promise<ProfileRun[]> {
    try {
      const added = await addRun(this.#files, gains, { runs, name, seed })
      await this.#files.flush()
      return added
    } catch (error) {
      if (error instanceof DamagedProfiles) throw damaged(this.#files.folder, error.run, error.what)
      await this.#files.remove(name).catch(() => {}) // it would take up room
      throw error
    }
  }
}

async function takeFacts(files: StoreFiles, { name, check, taxonomy }: FollowedGroup): Promise<StoreFacts> {
  const facts = await readStoreFacts(files)
  if (facts === undefined) {
    const key = randomBytes(32).toString("hex")
    const follows = { group: name, check }
    const begun: StoreFacts = { queryveilStore: 1, mode: "strict", taxonomy, key, dealing: 2, follows }
    await beginStore(files, begun)
    return begun
  }
  const { follows } = facts
  if (follows === undefined) throw mismatch(files, "is the store of a stream, which keeps its profiles itself")
  if (follows.group !== name) throw mismatch(files, `has the profiles of another group of workers (${follows.group})`)
  if (follows.check !== check)
    throw mismatch(files, "has the profiles of an earlier group of workers of this name, which had another secret")
  if (facts.taxonomy !== taxonomy) throw mismatch(files, "was begun with another taxonomy, and keeps topics by number")
  return facts
}

const mismatch = ({ folder }: StoreFiles, what: string) =>
  new QueryveilError("store-mismatch", `${folder}: ${what}. Give another folder, or the group that it belongs to.`, {
    file: folder,
  })

function followedBusy(folder: string): QueryveilError {
  return new QueryveilError(
    "store-busy",
    `${folder}: another process uses this store. Stop it first, or give this one a store of its own.`,
    { file: folder },
  )
}
