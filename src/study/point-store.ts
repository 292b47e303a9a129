import { access, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { writeFileWhole } from "../files/write-file.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { Score } from "../probes/score.ts"
import { areWhole, describeFiles } from "./point-files.ts"
import type { PointPlace, PointResult } from "./study.ts"
import { filesFolder, hashOf, pointsFolder } from "./study-folder.ts"

/** The points stored in a study's folder, each under the hash of everything it depends on. */
export interface PointStore {
  /** A complete point whose files are unchanged; undefined if it has to be computed. */
  read(hash: string): Promise<PointResult | undefined>
  /** Stores a point together with a list of the files it left. */
  write(hash: string, result: PointResult): Promise<PointResult>
  /** Where a point may write files. */
  placeOf(hash: string): PointPlace
  /** Removes a point and its files. */
  clear(hash: string): Promise<void>
  /** Removes the files of points that were never stored because their run stopped. */
  sweep(): Promise<void>
}

export async function openPointStore(folder: string): Promise<PointStore> {
  const files = join(folder, filesFolder)
  const pathOf = (hash: string) => join(folder, pointsFolder, `${hash}.json`)
  const remove = async (isGone: (name: string) => boolean | Promise<boolean>) => {
    for (const name of await readdir(files).catch((): string[] => [])) {
      if (await isGone(name)) await rm(join(files, name), { recursive: true, force: true })
    }
  }
  const sweep = () =>
    remove(async (name) => {
      const hash = hashOf(name)
      return hash !== undefined && !(await exists(pathOf(hash)))
    })
  await sweep()
  return {
    sweep,
    async clear(hash) {
      await rm(pathOf(hash), { force: true })
      await remove((name) => hashOf(name) === hash)
    },
    placeOf: (hash) => ({ folder: files, name: hash }),
    async write(hash, result) {
      const left = await describeFiles(folder, hash)
      const kept = left.length === 0 ? result : { ...result, files: left }
      await writeFileWhole(pathOf(hash), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
      return kept
    },
    async read(hash) {
      const result = await readPoint(pathOf(hash))
      return result !== undefined && (await areWhole(folder, result.files ?? [])) ? result : undefined
    },
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Earlier versions stored only the label of a score. Such a point is computed again. */
const isWhole = ({ probe, score }: Partial<Score>) => typeof probe === "string" && typeof score === "string"

async function readPoint(path: string): Promise<PointResult | undefined> {
  try {
    const value: PointResult = JSON.parse(await readFile(path, "utf8"))
    return Array.isArray(value.scores) && value.scores.every(isWhole) ? value : undefined
  } catch (error) {
    if (systemCode(error) === undefined || systemCode(error) === "ENOENT") return undefined
    throw new QueryveilError("input-unreadable", `${path}: cannot be read (${systemCode(error)}).`, {
      file: path,
      cause: error,
    })
  }
}
