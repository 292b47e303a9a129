import { randomBytes } from "node:crypto"
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { isRunning } from "../kernels/is-running.ts"

/** Names a folder or file that is being written; says which process of which machine writes it. */
const partialMark = ".partial-"
/** Names what stood in a folder's place while it is being replaced. */
const replacedMark = ".replaced-"
const host = hostname().replace(/[^A-Za-z0-9]/g, "") || "host"

function markedPath(target: string, mark: string): string {
  return `${target}${mark}${host}-${process.pid}-${randomBytes(6).toString("hex")}`
}

const partialPath = (target: string) => markedPath(target, partialMark)

/** Whether a name is of something that is being written, or was when its process ended. */
export const isPartial = (name: string) => name.includes(partialMark)

/** What a failed write means to a person. */
export function writeError(path: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (cause instanceof QueryveilError || code === undefined) return cause
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code)) {
    return new QueryveilError(
      "output-full",
      `${path}: the disk is full or a size limit was reached (${code}). Nothing was left behind; make room and run again.`,
      { file: path, cause },
    )
  }
  return new QueryveilError(
    "output-unwritable",
    `${path}: cannot be written (${code}). Check the path and its permissions.`,
    {
      file: path,
      cause,
    },
  )
}

/** A path beside a folder, however the folder was written: `out/` and `out/.` are `out`. */
export function besidePath(folder: string, ending: string): string {
  const plain = folder.replace(/\/+$/, "")
  return `${["", ".", ".."].includes(basename(plain)) ? resolve(folder) : plain}${ending}`
}

/** Refuses a private output that would lie inside a release, where it would be published with it. */
export async function refuseInRelease(path: string, options: { mark: string }): Promise<void> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = await stat(join(folder, options.mark)).catch(() => undefined)
    if (found?.isFile()) {
      throw new QueryveilError(
        "output-exists",
        `${path}: lies inside a release (${folder}) and would be published with it. Choose another place.`,
        { file: path },
      )
    }
    if (folder === dirname(folder)) return
  }
}

/** Refuses an output that is one of the files that were read: it would take the place of the log. */
export async function refuseInput(path: string, inputs: readonly { path: string }[]): Promise<void> {
  const target = await stat(path).catch(() => undefined)
  if (target === undefined) return
  for (const input of inputs) {
    const found = await stat(input.path).catch(() => undefined)
    if (found?.isFile() && found.dev === target.dev && found.ino === target.ino) {
      throw new QueryveilError("output-exists", `${path}: is a file of the log. Choose another name for the output.`, {
        file: path,
      })
    }
  }
}

/**
 * Makes sure, before any work is done, that a folder may be written: it must not exist, or `force` is set and it holds
 * `mark`, which shows that it is ours to replace. Without `force` there is no such flag. Clears up what a killed run of this machine left.
 */
export async function reserveFolder(folder: string, options: { mark: string; force?: boolean }): Promise<void> {
  const target = resolve(folder)
  await sweepLeftovers(target)
  let names: string[]
  try {
    names = await readdir(target)
  } catch (error) {
    if (systemCode(error) === "ENOENT") return
    if (systemCode(error) === "ENOTDIR") {
      throw new QueryveilError("output-exists", `${folder}: is a file. Choose another name for the folder.`, {
        file: folder,
      })
    }
    throw writeError(folder, error)
  }
  if (!options.force) {
    throw new QueryveilError(
      "output-exists",
      `${folder}: already exists. Choose another folder${options.force === undefined ? "" : ", or replace it with --force"}.`,
      {
        file: folder,
      },
    )
  }
  if (names.length > 0 && !names.includes(options.mark)) {
    throw new QueryveilError(
      "output-exists",
      `${folder}: holds no ${options.mark}, so it is not replaced, --force or not. Choose another folder.`,
      { file: folder },
    )
  }
}

/** `reserveFolder` for a file: it must not exist, or `force` is set. A pipe or a device may be written at any time. */
export async function reserveFile(path: string, options: { force: boolean }): Promise<void> {
  await sweepLeftovers(path)
  const found = await stat(path).catch(() => undefined)
  const isTaken = found?.isDirectory() || (found?.isFile() && !options.force)
  if (!isTaken) return
  const advice = found?.isDirectory() ? "is a folder. Choose" : "already exists. Replace it with --force, or choose"
  throw new QueryveilError("output-exists", `${path}: ${advice} another name for the file.`, { file: path })
}

/**
 * Clears up after processes that are gone: removes what they left unfinished, and puts back what they had moved aside
 * to replace it, if nothing has taken its place.
 */
export async function sweepLeftovers(path: string): Promise<void> {
  const target = resolve(path)
  for (const name of await leftovers(target, partialMark)) await rm(name, { recursive: true, force: true })
  for (const name of await leftovers(target, replacedMark)) {
    if (await exists(target)) await rm(name, { recursive: true, force: true })
    else await rename(name, target)
  }
}

async function leftovers(target: string, mark: string): Promise<string[]> {
  const parent = dirname(target)
  const prefix = `${basename(target)}${mark}${host}-`
  const names: string[] = await readdir(parent).catch(() => [])
  return names
    .filter((name) => {
      const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN
      return Number.isInteger(pid) && !isRunning(pid)
    })
    .map((name) => join(parent, name))
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Writes a folder so that it is there whole or not at all: `fill` works in a temporary sibling, which takes the
 * folder's place when everything in it is on the disk. Whatever goes wrong, the sibling is removed and what stood there
 * before stays.
 */
export async function writeFolder<T>(
  folder: string,
  options: { mode: number },
  fill: (temporary: string) => Promise<T>,
): Promise<T> {
  const target = resolve(folder)
  const temporary = partialPath(target)
  try {
    await mkdir(dirname(target), { recursive: true })
    await mkdir(temporary, { mode: 0o700 })
    const result = await fill(temporary)
    await chmod(temporary, options.mode)
    await syncFolder(temporary)
    await replace(temporary, target)
    await syncFolder(dirname(target))
    return result
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw writeError(folder, error)
  }
}

/** A folder cannot be renamed over a full one: the old one steps aside first, and comes back if that fails. */
async function replace(temporary: string, target: string): Promise<void> {
  if (!(await exists(target))) return rename(temporary, target)
  const aside = markedPath(target, replacedMark)
  await rename(target, aside)
  try {
    await rename(temporary, target)
  } catch (error) {
    await rename(aside, target)
    throw error
  }
  await rm(aside, { recursive: true, force: true })
}

/**
 * Writes a file of chunks and sees it to the disk; `each` looks at every chunk. While one chunk is written the next is
 * made, so a chunk must stay as it is.
 */
export async function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: { mode: number; each?: (chunk: Uint8Array) => void },
): Promise<void> {
  const file = await open(path, "wx", options.mode)
  try {
    let writing = Promise.resolve()
    for await (const chunk of chunks) {
      await writing
      writing = writeFully(file, chunk)
      writing.catch(() => {}) // awaited above or below
      options.each?.(chunk)
    }
    await writing
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeFully(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

/** Writes a file so that it is there whole or not at all. What is no file, a pipe or a device, is written as it is. */
export async function writeFileWhole(
  path: string,
  text: string | Uint8Array,
  options: { mode: number },
): Promise<void> {
  await writeChunksWhole(path, [Buffer.from(text)], options)
}

/** `writeFileWhole` of chunks; see `writeChunks`. */
export async function writeChunksWhole(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: { mode: number },
): Promise<void> {
  const target = resolve(path)
  const temporary = partialPath(target)
  try {
    const found = await stat(target).catch(() => undefined)
    if (found !== undefined && !found.isFile() && !found.isDirectory()) return await writeFile(target, chunks)
    await writeChunks(temporary, chunks, options)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw writeError(path, error)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined)
  await folder?.sync().catch(() => {}) // not every file system can
  await folder?.close()
}
