import { randomBytes } from "node:crypto"
import { chmod, link, realpath, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { DuckDBInstance } from "@duckdb/node-api"
import { QueryveilError } from "../../kernels/error.ts"

export const lockName = "lock.duckdb"
const settings = { threads: "1", autoinstall_known_extensions: "false" }

/** By folder: what this process holds. A database that is not referred to would be closed and its lock let go. */
const held = new Map<string, DuckDBInstance | undefined>()

/**
 * Makes this process the only one on the folder until the returned function is called or the process ends, however it ends.
 *
 * Node has no file locks, but DuckDB takes one on the file of a database that it opens for writing: the kernel's (`fcntl`; share
 * modes on Windows). It belongs to the file, not to a process number, so that it holds between containers on one volume;
 * the kernel lets it go with the process. The file is made under another name and linked into place, so it is never seen
 * unfinished, and it is never removed.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const place = await realpath(folder)
  if (held.has(place)) throw busy(folder)
  held.set(place, undefined)
  try {
    const { DuckDBInstance } = await import("@duckdb/node-api")
    const path = join(place, lockName)
    if (!(await exists(path))) {
      const temporary = `${path}-${randomBytes(6).toString("hex")}.tmp`
      try {
        const made = await DuckDBInstance.create(temporary, settings)
        made.closeSync()
        await chmod(temporary, 0o600)
        await link(temporary, path)
        await rm(temporary)
      } catch (error) {
        await rm(temporary, { force: true })
        if (!(await exists(path))) throw error // else another process was faster, and may have swept up
      }
    }
    const instance = await DuckDBInstance.create(path, settings).catch((error) => {
      if (/(set|conflicting) lock|used by another process/i.test(String(error))) throw busy(folder)
      throw new QueryveilError(
        "output-unwritable",
        `${path}: cannot be opened as the lock of the store. Check its permissions; if it is damaged and no stream runs, remove it.`,
        { file: path, cause: error },
      )
    })
    held.set(place, instance)
  } catch (error) {
    held.delete(place)
    throw error
  }
  return async () => {
    held.get(place)?.closeSync()
    held.delete(place)
  }
}

function busy(folder: string): QueryveilError {
  return new QueryveilError(
    "store-busy",
    `${folder}: another process runs a stream on this store. Stop it first, or give this one a store of its own.`,
    { file: folder },
  )
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
