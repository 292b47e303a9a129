import { mkdir, readdir, rm, rmdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { QueryveilError } from "../kernels/error.ts"
import { isPartial, writeError } from "../release/output.ts"
import { refusePrivate } from "../release/write-release.ts"
import { lockFolder, lockName } from "../stream/store/lock.ts"

/** Parts of a study's folder: what points gave, the files that some leave, drawings and their tables. */
export const pointsFolder = "points"
export const filesFolder = "releases"
export const figuresFolder = "figures"
export const dataFolder = "data"
const parts = [pointsFolder, filesFolder, figuresFolder, dataFolder]

/** A folder that this process has to itself while it works on a study in it. */
export interface StudyFolder {
  path: string
}

/**
 * Takes a folder for a study, new, empty, or of a study before, until the work is done or the process ends, however it
 * ends. A folder that was made for it and got nothing is removed again.
 */
export async function withStudyFolder<T>(path: string, work: (folder: StudyFolder) => Promise<T>): Promise<T> {
  await refusePrivate(path)
  await refuseForeign(path)
  let made: string | undefined
  let unlock: () => Promise<void>
  try {
    made = await mkdir(path, { recursive: true, mode: 0o700 })
    unlock = await lockFolder(path, { place: "the study", busy })
  } catch (error) {
    if (made !== undefined) await rmdir(path).catch(() => {}) // another run has it
    throw writeError(path, error)
  }
  try {
    await sweepPartial(path)
    return await work({ path })
  } finally {
    if (made !== undefined) await removeUnused(path)
    await unlock()
  }
}

async function refuseForeign(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return
  if (!found.isDirectory())
    throw new QueryveilError("output-exists", `${path}: is a file. Choose another name for the folder.`, { file: path })
  const names = await readdir(path).catch((error) => {
    throw writeError(path, error)
  })
  if (names.includes(pointsFolder) || names.every((name) => name.startsWith(lockName))) return
  throw new QueryveilError("output-exists", `${path}: holds something else than a study. Choose another folder.`, {
    file: path,
  })
}

function busy(folder: string): QueryveilError {
  return new QueryveilError(
    "study-busy",
    `${folder}: another run works on the study in this folder. Wait until it is done, or choose another folder.`,
    { file: folder },
  )
}

/** Files that a killed run left half written: nobody else writes here. */
async function sweepPartial(path: string): Promise<void> {
  for (const folder of [path, ...parts.map((part) => join(path, part))]) {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      if (isPartial(name)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Removes a folder in which there is but the lock, which is held. */
async function removeUnused(path: string): Promise<void> {
  const names: string[] = await readdir(path).catch(() => [])
  if (names.length !== 1 || names[0] !== lockName) return
  await rm(join(path, lockName), { force: true })
  await rmdir(path).catch(() => {}) // someone began to take it
}
