import { randomBytes } from "node:crypto"
import { open, readdir, rename, rm } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"

const mark = ".partial-"

/**
 * Writes a file that only its owner may read (0600), whole or not at all: a temporary sibling is seen to the disk and takes
 * its place, and the folder is seen to the disk too. What a killed run left is cleared up.
 */
export async function writePrivate(path: string, bytes: Uint8Array): Promise<void> {
  const target = resolve(path)
  const temporary = `${target}${mark}${process.pid}-${randomBytes(6).toString("hex")}`
  try {
    await sweep(target)
    const file = await open(temporary, "wx", 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
    await syncFolder(dirname(target))
  } catch (cause) {
    await rm(temporary, { force: true })
    const code = systemCode(cause)
    if (code === undefined) throw cause
    const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code)
    throw new QueryveilError(
      isFull ? "output-full" : "output-unwritable",
      `${path}: cannot be written (${code}); what was there is unchanged. ${isFull ? "Make room." : "Check the path and its permissions."}`,
      { file: path, cause },
    )
  }
}

/** Removes the temporaries of processes that are gone: an old state must not outlive its deletion in them. */
async function sweep(target: string): Promise<void> {
  const prefix = `${basename(target)}${mark}`
  for (const name of await readdir(dirname(target))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN
    if (Number.isInteger(pid) && pid > 0 && !isRunning(pid)) await rm(join(dirname(target), name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === "EPERM"
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined)
  await folder?.sync().catch(() => {}) // not every file system can
  await folder?.close()
}
