import type { StoreFile, StoreFiles } from "../../files/folder-files.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { openStreamAudit } from "./audited-releases.ts"
import { DamagedProfiles } from "./damage.ts"
import { GainsBuilder, GainsCursor, type ProfileGains } from "./profile-gains.ts"
import {
  checkRun,
  mergeProfiles,
  openRun,
  type ProfileCursor,
  type ProfileRun,
  RunCursor,
  writeRun,
} from "./profile-runs.ts"

/** The profiles of a store: what was shown under users from release `from` on, as the sum of several files. */
export interface ProfileBooks {
  from: number
  /** Largest first. */
  runs: ProfileRun[]
}

/** Files that are at most this many times as large as an addition are rewritten together with it. */
const growth = 3
/** How many releases of an audit are counted in memory before they are written. */
const rebuildStep = 1 << 20

/**
 * Adds the gains of profiles in a new file; small files are merged into it. Files that are no longer valid are left for
 * the caller to remove. A damaged file never stops the bookkeeping: its content is given up, and the profiles begin
 * with these gains.
 */
export async function keepProfiles(
  files: StoreFiles,
  gains: ProfileGains,
  options: {
    held: ProfileBooks
    /** Number of the first release of the gains. */
    first: number
    name: string
    seed: number
    /** Folder of kept journals from which lost profiles can be rebuilt. */
    audit?: string | undefined
  },
): Promise<ProfileBooks & { damage?: string }> {
  const { held, first, name, seed, audit } = options
  try {
    const before = held.from === 0 || audit === undefined ? held : await rebuild(files, { ...options, audit })
    return { ...before, runs: await addRun(files, gains, { runs: before.runs, name, seed }) }
  } catch (error) {
    if (!(error instanceof DamagedProfiles)) throw error
    const { file } = error.fields
    const damage = [
      `${file}: ${error.what} (store-damaged). The stream goes on.`,
      `Profiles count what is shown from release ${first} on.`,
    ].join(" ")
    return { from: first, runs: await addRun(files, gains, { runs: [], name, seed }), damage }
  }
}

/**
 * Writes the gains, together with the last files that are not much larger. Files that are no longer valid are left for
 * the caller to remove.
 */
export async function addRun(
  files: StoreFiles,
  gains: ProfileGains,
  { runs, name, seed }: { runs: readonly ProfileRun[]; name: string; seed: number },
): Promise<ProfileRun[]> {
  if (gains.node.length === 0) return [...runs]
  let kept = runs.length
  for (let bytes = sizeOf(gains); kept > 0 && runs[kept - 1].bytes <= growth * bytes; bytes += runs[kept].bytes) kept--
  const opened: StoreFile[] = []
  try {
    const cursors: ProfileCursor[] = [new GainsCursor(gains)]
    for (const run of runs.slice(kept)) {
      const file = await openRun(files, run)
      opened.push(file)
      cursors.push(new RunCursor(file, { run, seed, folder: files.folder }))
    }
    return [...runs.slice(0, kept), await writeRun(files, mergeProfiles(cursors), { name, seed })]
  } finally {
    for (const file of opened) await file.close()
  }
}

/** Approximate size of gains in a file, in bytes: the names, and the topic and number of each count. */
const sizeOf = ({ users, node }: ProfileGains) => users.arena.length + node.length * 3

/**
 * Rebuilds the profiles of all releases before the gains, if the audit has every one. Otherwise returns the existing
 * profiles.
 */
async function rebuild(
  files: StoreFiles,
  options: { held: ProfileBooks; first: number; name: string; seed: number; audit: string },
): Promise<ProfileBooks & { damage?: string }> {
  const { held, first, name, seed } = options
  let runs: ProfileRun[] = []
  let parts = 0
  let builder = new GainsBuilder()
  const write = async () => {
    const before = runs
    runs = await addRun(files, builder.build(), { runs, name: name.replace(".bin", `-${parts++}.bin`), seed })
    for (const run of before) if (!runs.includes(run)) await files.remove(run.name)
    builder = new GainsBuilder()
  }
  let next = 0
  let damage: string | undefined
  try {
    const audit = await openStreamAudit(options.audit)
    for await (const { seq, record, as } of audit.releases()) {
      if (seq !== next || seq === first) break
      builder.add(as.user, record.topic)
      next++
      if (builder.records >= rebuildStep) await write()
    }
    await write()
  } catch (error) {
    if (!(error instanceof QueryveilError)) throw error
    damage = error.message
  }
  if (next === first && damage === undefined) return { from: 0, runs }
  for (const run of runs) await files.remove(run.name)
  return { ...held, ...(damage !== undefined && { damage }) }
}

/** Renames files that are no longer valid, so that they can be examined. */
export async function putAside(files: StoreFiles, runs: readonly ProfileRun[]): Promise<void> {
  const there = new Set(await files.list())
  for (const { name } of runs) if (there.has(name)) await files.rename(name, `${name}.damaged`)
}

/** Finds the first file of the profiles that is not as it was written, and what is wrong with it. */
export async function findDamage(
  files: StoreFiles,
  { runs, seed }: { runs: readonly ProfileRun[]; seed: number },
): Promise<{ run: ProfileRun; what: string } | undefined> {
  for (const run of runs) {
    try {
      await checkRun(files, { run, seed })
    } catch (error) {
      if (!(error instanceof DamagedProfiles)) throw error
      return { run, what: error.what }
    }
  }
  return undefined
}
