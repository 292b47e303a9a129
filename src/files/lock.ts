import { randomBytes } from "node:crypto"
import { chmod, link, realpath, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { DuckDBInstance } from "@duckdb/node-api"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { exists } from "./partial-names.ts"

export const lockName = "lock.duckdb"
const settings = { threads: "1", autoinstall_known_extensions: "false" }

/** The locks of this process, by file. A database without a reference would be closed and its lock released. */
const held = new Map<string, DuckDBInstance | undefined>()

/** Describes a lock to those who find it taken. */
export interface LockOwner {
  /** What is locked, in words: `the store`. */
  place: string
  busy(path: string): QueryveilError
}

/** Makes this process the only one that uses the folder. See `lockFile`. */
export async function lockFolder(folder: string, owner: LockOwner): Promise<() => Promise<void>> {
  const busy = () => owner.busy(folder)
  return lockFile(join(folder, lockName), { ...owner, busy, keep: true })
}

/**
 * Makes this process the only one that holds the file, until the returned function is called or the process ends in any
 * way. With `keep` the file remains; otherwise it is removed with the lock.
 *
 * Node has no file locks, but DuckDB takes one on a database file that it opens for writing. It is a lock of the kernel
 * (`fcntl`; share modes on Windows). It belongs to the file and not to a process number, so it also works between
 * containers on one volume, and the kernel releases it with the process. The file is created under another name and
 * linked into place, so it is never seen unfinished. Only its holder removes it, and a kept file only with its folder:
 * a lock on a removed file protects nothing.
 */
export async function lockFile(file: string, owner: LockOwner & { keep: boolean }): Promise<() => Promise<void>> {
  const folder = dirname(file)
  const path = join(await realpath(folder), basename(file))
  if (held.has(path)) throw owner.busy(file)
  held.set(path, undefined)
  try {
    const { DuckDBInstance } = await import("@duckdb/node-api")
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
        if (!(await exists(path))) throw unmade(folder, error) // else another process was faster and may have swept up
      }
    }
    const before = await inodeOf(path)
    const instance = await DuckDBInstance.create(path, settings).catch((error) => {
      if (/(set|conflicting) lock|used by another process/i.test(String(error))) throw owner.busy(file)
      throw new QueryveilError(
        "output-unwritable",
        `${path}: cannot be opened as the lock of ${owner.place}. Check its permissions. ` +
          "If it is damaged and nothing runs there, remove it.",
        { file: path, cause: error },
      )
    })
    if (before === undefined || before !== (await inodeOf(path))) {
      instance.closeSync()
      throw owner.busy(file)
    }
    held.set(path, instance)
  } catch (error) {
    held.delete(path)
    throw error
  }
  return async () => {
    if (!owner.keep) await rm(path, { force: true }).catch(() => {}) // stays if the system cannot remove an open file
    held.get(path)?.closeSync()
    held.delete(path)
  }
}

/** `lockFile` that waits until the lock is released, for at most five seconds. */
export async function waitForLock(file: string, owner: LockOwner): Promise<() => Promise<void>> {
  for (let left = tries; ; left--) {
    const taken = owner.busy(file)
    try {
      return await lockFile(file, { ...owner, busy: () => taken, keep: false })
    } catch (error) {
      if (error !== taken || left === 0) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMilliseconds))
  }
}

const tries = 100
const waitMilliseconds = 50

/** DuckDB's errors have no system code, only a message. */
function unmade(folder: string, cause: unknown): unknown {
  if (systemCode(cause) !== undefined) return cause
  const [code, what] = /no space left|quota exceeded|file too large/i.test(String(cause))
    ? ([
        "output-full",
        "the disk is full or a size limit was reached: no lock can be made. Make room and run again.",
      ] as const)
    : ([
        "output-unwritable",
        "no lock can be made in it. Check its permissions, and that its file system supports locks.",
      ] as const)
  return new QueryveilError(code, `${folder}: ${what}`, { file: folder, cause })
}

const inodeOf = (path: string) =>
  stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  )
