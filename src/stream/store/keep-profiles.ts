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

/** The profiles of a store: what was shown under users from release `from` on, in files that are summed. */
export interface ProfileBooks {
  from: number
  /** The largest first. */
  runs: ProfileRun[]
}

/** Files that are at most so many times as large as what is added to them are written anew together with it. */
const growth = 3
/** Releases of an audit that are counted in memory before they are written. */
const rebuildStep = 1 << 20

/**
 * Adds what profiles gain, in a new file; small files become one with it. Files that no longer count are left to be removed.
 * A damaged file never stops the books: what it had is given up, and the profiles begin with this gain.
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
    /** Where journals are kept from which lost profiles can be made again. */
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
    const damage = `${file}: ${error.what} (store-damaged). The stream goes on. Profiles count what is shown from release ${first} on.`
    return { from: first, runs: await addRun(files, gains, { runs: [], name, seed }), damage }
  }
}

/** Writes the gains, together with the last files that are not much larger. */
async function addRun(
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

/** Bytes that gains take in a file, nearly: names, and of each count the topic and the number. */
const sizeOf = ({ users, node }: ProfileGains) => users.arena.length + node.length * 3

/** The profiles of all releases before the gains, if the audit has every one; else those that there are. */
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

/** Keeps files that no longer count, for whoever wants to know what became of them. */
export async function putAside(files: StoreFiles, runs: readonly ProfileRun[]): Promise<void> {
  const there = new Set(await files.list())
  for (const { name } of runs) if (there.has(name)) await files.rename(name, `${name}.damaged`)
}

/** The first file of the profiles that is not as it was written, and what is wrong with it. */
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
