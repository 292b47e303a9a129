import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { readdir, rename, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { systemCode } from "../kernels/error.ts"

/** Marks a folder or file that is being written. */
const partialMark = ".partial-"
/** Marks a folder that is being replaced. */
const replacedMark = ".replaced-"
const host = hostname().replace(/[^A-Za-z0-9]/g, "") || "host"

/** Changes when the machine restarts, because then another process may have the old process number. */
const boot = readBoot()

function readBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8)
  } catch {
    return "boot" // the system does not say
  }
}

/** A name next to the target that says which process of which machine writes it. */
const markedPath = (target: string, mark: string) =>
  `${target}${mark}${host}-${boot}-${process.pid}-${randomBytes(6).toString("hex")}`

/** A new name under which a target is written before it is moved into place. */
export const partialPath = (target: string): string => markedPath(target, partialMark)

/** A new name for an old folder while it is being replaced. */
export const replacedPath = (target: string): string => markedPath(target, replacedMark)

/** True for the name of something that is being written, or that was left when its process ended. */
export const isPartial = (name: string): boolean => name.includes(partialMark) || name.endsWith(".partial")

/**
 * Cleans up after processes of this machine that have ended. Removes what they left unfinished. Puts back what they had
 * moved aside to replace, unless something has taken its place.
 */
export async function sweepLeftovers(path: string): Promise<void> {
  const target = resolve(path)
  for (const name of await leftovers(target, partialMark)) await rm(name, { recursive: true, force: true })
  for (const name of await leftovers(target, replacedMark)) {
    if (await exists(target)) await rm(name, { recursive: true, force: true })
    else await rename(name, target)
  }
}

/**
 * Removes everything unfinished of a target. Only for the holder of its lock, because then nobody else is writing it.
 */
export async function sweepPartials(path: string): Promise<void> {
  const target = resolve(path)
  const names: string[] = await readdir(dirname(target)).catch(() => [])
  for (const name of names) {
    if (name.startsWith(`${basename(target)}${partialMark}`)) await rm(join(dirname(target), name), { force: true })
  }
}

const staleAfter = 24 * 3600 * 1000

/**
 * Removes what was left unfinished in a folder more than a day ago, assuming that no running process still needs it.
 */
export async function sweepStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = isPartial(name) ? await stat(path).catch(() => undefined) : undefined
    if (found !== undefined && Date.now() - found.mtimeMs > staleAfter) await rm(path, { recursive: true, force: true })
  }
}

async function leftovers(target: string, mark: string): Promise<string[]> {
  const parent = dirname(target)
  const prefix = `${basename(target)}${mark}${host}-`
  const names: string[] = await readdir(parent).catch(() => [])
  return names
    .filter((name) => {
      if (!name.startsWith(prefix)) return false
      const parts = name.slice(prefix.length).split("-")
      // Names of 0.1 have no boot.
      const [since, pid] = parts.length === 3 ? [parts[0], Number(parts[1])] : [boot, Number(parts[0])]
      return Number.isInteger(pid) && (since !== boot || !isRunning(pid))
    })
    .map((name) => join(parent, name))
}

/** True if there is something at the path. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** True if a process of this machine is still running, even if it belongs to another user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === "EPERM"
  }
}
