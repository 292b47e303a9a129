import { randomBytes } from "node:crypto"
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { isRunning } from "../kernels/is-running.ts"

const mark = ".partial-"
/** Who has not written for so long is stuck, or its number is another process's by now. */
const stuckMilliseconds = 60_000
const waits = 200
const waitMilliseconds = 25
/** Temporaries that this process is writing. */
const ours = new Set<string>()

/**
 * Writes a file that only its owner may read (0600), whole or not at all: a temporary sibling is seen to the disk and takes
 * its place, and the folder is seen to the disk too. What a killed run left is cleared up.
 *
 * One at a time: the temporary is also a claim. It is made before others are looked for, and stays until it takes its place,
 * so of two writers at least one sees the other, and waits. `confirm` is called when nobody else is writing, and throws if
 * the file is not to be written after all.
 */
export async function writePrivate(
  path: string,
  bytes: Uint8Array,
  { confirm }: { confirm?: () => Promise<void> } = {},
): Promise<void> {
  const target = await realpath(path).catch(() => resolve(path)) // a link stays, and no old state behind it
  const { temporary, file } = await claim(target, path)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await confirm?.()
    await rename(temporary, target)
    await syncFolder(dirname(target))
  } catch (cause) {
    await rm(temporary, { force: true })
    throw writeError(path, cause)
  } finally {
    ours.delete(temporary)
  }
}

/** A temporary, made while nobody else has one. */
async function claim(target: string, path: string): Promise<{ temporary: string; file: FileHandle }> {
  for (let i = 0; ; i++) {
    const temporary = `${target}${mark}${process.pid}-${randomBytes(6).toString("hex")}`
    ours.add(temporary)
    try {
      const file = await open(temporary, "wx", 0o600)
      try {
        if (!(await othersWrite(target, temporary))) return { temporary, file }
        if (i === waits)
          throw new QueryveilError("profile-changed", `${path}: another process is writing it. Try again.`, {
            file: path,
          })
      } catch (error) {
        await release(temporary, file)
        throw error
      }
      await release(temporary, file)
    } catch (cause) {
      ours.delete(temporary)
      throw writeError(path, cause)
    }
    // Not in step with the other, who does the same.
    const wait = waitMilliseconds * (0.5 + randomBytes(1)[0] / 256)
    await new Promise((done) => setTimeout(done, wait))
  }
}

async function release(temporary: string, file: FileHandle): Promise<void> {
  await file.close()
  await rm(temporary, { force: true })
  ours.delete(temporary)
}

/**
 * Whether someone else is writing. The temporaries of processes that are gone or stuck are removed: an old state must not
 * outlive its deletion in them, and one who was only slow finds nothing to put in place.
 */
async function othersWrite(target: string, temporary: string): Promise<boolean> {
  const prefix = `${basename(target)}${mark}`
  const { mtimeMs: now } = await stat(temporary)
  let found = false
  for (const name of await readdir(dirname(target))) {
    const other = join(dirname(target), name)
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN
    if (other === temporary || !Number.isInteger(pid) || pid <= 0) continue
    const status = await stat(other).catch(() => undefined)
    if (status === undefined) continue // done meanwhile
    const isWriting = pid === process.pid ? ours.has(other) : isRunning(pid) && now - status.mtimeMs < stuckMilliseconds
    if (isWriting) found = true
    else await rm(other, { force: true })
  }
  return found
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined)
  await folder?.sync().catch(() => {}) // not every file system can
  await folder?.close()
}

function writeError(path: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (code === undefined) return cause
  const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code)
  return new QueryveilError(
    isFull ? "output-full" : "output-unwritable",
    `${path}: cannot be written (${code}); what was there is unchanged. ${isFull ? "Make room." : "Check the path and its permissions."}`,
    { file: path, cause },
  )
}
