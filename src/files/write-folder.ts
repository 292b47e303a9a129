import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { systemCode } from "../kernels/error.ts"
import { exists, partialPath, replacedPath } from "./partial-names.ts"
import { syncFile, syncFolder } from "./private-folder.ts"
import { writeError } from "./write-error.ts"
import { takenMeanwhile, type WriteOptions } from "./write-file.ts"

/**
 * Writes a folder whole or not at all, even after a power loss. `fill` works in a temporary folder next to it, which is
 * synced with all its files and then moved into place. If anything goes wrong, the temporary folder is removed and what
 * was there before stays.
 */
export async function writeFolder<T>(
  folder: string,
  { mode, replace = true }: WriteOptions,
  fill: (temporary: string) => Promise<T>,
): Promise<T> {
  const target = resolve(folder)
  const temporary = partialPath(target)
  try {
    await mkdir(dirname(target), { recursive: true })
    await mkdir(temporary, { mode: 0o700 })
    const result = await fill(temporary)
    await chmod(temporary, mode)
    await syncTree(temporary)
    await (replace ? replaceFolder(temporary, target) : takeFreeName(temporary, target))
    await syncFolder(dirname(target))
    return result
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw writeError(folder, error)
  }
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? syncTree(path) : syncFile(path))
  }
  await syncFolder(folder)
}

/** Renames a folder to an unused name. The system renames a folder over an empty one, never over one with content. */
async function takeFreeName(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error) => {
    throw ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(systemCode(error) ?? "") ? takenMeanwhile(to) : error
  })
}

/** Moves the old folder aside first, and back if the new one cannot be moved into place. */
async function replaceFolder(from: string, to: string): Promise<void> {
  if (!(await exists(to))) return takeFreeName(from, to)
  const aside = replacedPath(to)
  await rename(to, aside)
  try {
    await takeFreeName(from, to)
  } catch (error) {
    await rename(aside, to).catch(() => {}) // another run was faster
    throw error
  }
  await syncFolder(dirname(to))
  await rm(aside, { recursive: true, force: true })
}
