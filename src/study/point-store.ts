import { access, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { writeFileWhole } from "../release/output.ts"
import type { PointPlace, PointResult } from "./study.ts"

/** Parts of a study's folder: what points gave, and the files that some leave. */
export const pointsFolder = "points"
export const filesFolder = "releases"

/** The points that a study's folder holds, each under the hash of all that it depends on. */
export interface PointStore {
  /** A point that is whole, its files too; undefined when it is to be computed. */
  read(hash: string): Promise<PointResult | undefined>
  write(hash: string, result: PointResult): Promise<void>
  /** Where a point may leave files. */
  placeOf(hash: string): PointPlace
  /** Removes a point and its files. */
  clear(hash: string): Promise<void>
  /** Removes the files of points that are not kept: their run was ended. */
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
  const sweep = () => remove(async (name) => !(await exists(pathOf(name.split(".")[0] ?? ""))))
  await sweep()
  return {
    sweep,
    async clear(hash) {
      await rm(pathOf(hash), { force: true })
      await remove((name) => name.split(".")[0] === hash)
    },
    placeOf: (hash) => ({ folder: files, name: hash }),
    write: (hash, result) => writeFileWhole(pathOf(hash), `${JSON.stringify(result, null, 2)}\n`, { mode: 0o600 }),
    async read(hash) {
      const result = await readPoint(pathOf(hash))
      for (const name of result?.files ?? []) if (!(await exists(join(folder, name)))) return undefined
      return result
    },
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function readPoint(path: string): Promise<PointResult | undefined> {
  try {
    const value: PointResult = JSON.parse(await readFile(path, "utf8"))
    return Array.isArray(value.scores) ? value : undefined
  } catch (error) {
    if (systemCode(error) === undefined || systemCode(error) === "ENOENT") return undefined
    throw new QueryveilError("input-unreadable", `${path}: cannot be read (${systemCode(error)}).`, {
      file: path,
      cause: error,
    })
  }
}
