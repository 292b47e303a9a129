import { mkdir, readdir, rm, rmdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { lockFolder, lockName } from "../files/lock.ts"
import { isPartial } from "../files/partial-names.ts"
import { writeError } from "../files/write-error.ts"
import { QueryveilError } from "../kernels/error.ts"
import { refusePrivate } from "../release/write-release.ts"

/**
 * Parts of a study's folder: results of points, files that some points leave, drawings, and the tables behind the
 * drawings.
 */
export const pointsFolder = "points"
export const filesFolder = "releases"
export const figuresFolder = "figures"
export const dataFolder = "data"
const parts = [pointsFolder, filesFolder, figuresFolder, dataFolder]
export const pageFile = "index.html"
export const studyFile = "study.json"
const ours = new Set([...parts, pageFile, studyFile])

/** The hash at the start of the name of a point's file or folder. It covers everything that the point depends on. */
export const hashOf = (name: string): string | undefined => /^[0-9a-f]{24}(?=\.|$)/.exec(name)?.[0]

/** A folder that this process holds exclusively while it works on a study in it. */
export interface StudyFolder {
  path: string
}

/**
 * Locks a folder for a study until the work is done or the process ends, however it ends. The folder may be new, empty,
 * or hold an earlier study. A folder that was created here and stayed empty is removed again.
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
    if (made !== undefined) await rmdir(path).catch(() => {}) // fails if another run has locked it
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
  if (await isStudy(path, names)) return
  throw new QueryveilError("output-exists", `${path}: contains other files than a study. Choose another folder.`, {
    file: path,
  })
}

/**
 * Recognises a study by its points or, before there are any, by its other entries. Any other folder called `points` is
 * not ours to clean up.
 */
async function isStudy(path: string, names: readonly string[]): Promise<boolean> {
  const points = await readdir(join(path, pointsFolder)).catch((): string[] => [])
  if (points.length > 0) return points.every((name) => hashOf(name) !== undefined)
  const isBegun = names.includes(pointsFolder)
  return names.every((name) => name.startsWith(lockName) || (isBegun && (ours.has(name) || isPartial(name))))
}

function busy(folder: string): QueryveilError {
  return new QueryveilError(
    "study-busy",
    `${folder}: another run is using this study folder. Wait until it is done, or choose another folder.`,
    { file: folder },
  )
}

/** Removes files that a killed run left half written. Nobody else writes here. */
async function sweepPartial(path: string): Promise<void> {
  for (const folder of [path, ...parts.map((part) => join(path, part))]) {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      if (isPartial(name)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Removes a folder that holds nothing but our own lock. */
async function removeUnused(path: string): Promise<void> {
  const names: string[] = await readdir(path).catch(() => [])
  if (names.length !== 1 || names[0] !== lockName) return
  await rm(join(path, lockName), { force: true })
  await rmdir(path).catch(() => {}) // another run has started to lock it
}
