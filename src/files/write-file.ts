import { type FileHandle, link, open, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { partialPath } from "./partial-names.ts"
import { syncFolder } from "./private-folder.ts"
import { writeError } from "./write-error.ts"

/** Bytes in pieces. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface WriteOptions {
  /** Permissions of the file. */
  mode: number
  /** False: an existing file is never replaced, not even one that another process has made meanwhile (default true). */
  replace?: boolean
}

const slice = 64 << 20

/**
 * Writes chunks to a new file and syncs it. `each` gets every chunk. While one chunk is written the next is made, so a
 * chunk must not change.
 */
export async function writeChunks(
  path: string,
  chunks: Chunks,
  options: { mode: number; each?: (chunk: Uint8Array) => unknown },
): Promise<void> {
  const file = await open(path, "wx", options.mode)
  try {
    let writing = Promise.resolve()
    for await (const chunk of chunks) {
      await writing
      writing = writeFully(file, chunk)
      writing.catch(() => {}) // awaited above or below
      await options.each?.(chunk)
    }
    await writing
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeFully(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    at += (await file.write(chunk, at, Math.min(slice, chunk.length - at))).bytesWritten
  }
}

/**
 * Writes a file whole or not at all, even after a power loss. A temporary file next to it is synced and renamed to the
 * file, and then the folder is synced. A pipe or a device is written directly.
 */
export async function writeFileWhole(path: string, text: string | Uint8Array, options: WriteOptions): Promise<void> {
  await writeChunksWhole(path, [Buffer.from(text)], options)
}

/** `writeFileWhole` for chunks; see `writeChunks`. */
export async function writeChunksWhole(
  path: string,
  chunks: Chunks,
  { mode, each, replace = true }: WriteOptions & { each?: (chunk: Uint8Array) => unknown },
): Promise<void> {
  const target = resolve(path)
  const temporary = partialPath(target)
  try {
    const found = await stat(target).catch(() => undefined)
    if (found !== undefined && !found.isFile() && !found.isDirectory()) return await writeFile(target, chunks)
    await writeChunks(temporary, chunks, { mode, ...(each === undefined ? {} : { each }) })
    await (replace ? rename(temporary, target) : takeFreeName(temporary, target))
    await syncFolder(dirname(target))
  } catch (error) {
    await rm(temporary, { force: true })
    throw writeError(path, error)
  }
}

/** Renames a file to an unused name. A rename could replace a file, so the new name is made as a link. */
async function takeFreeName(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const code = systemCode(error) ?? ""
    if (code === "EEXIST") throw takenMeanwhile(to)
    if (!cannotLink.includes(code)) throw error
    await claimName(to)
    return rename(from, to)
  }
  await rm(from)
}

/** For file systems without links: an empty file reserves the name until the rename replaces it. */
async function claimName(path: string): Promise<void> {
  const file = await open(path, "wx").catch((error) => {
    throw systemCode(error) === "EEXIST" ? takenMeanwhile(path) : error
  })
  await file.close()
}

const cannotLink = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]

/** The error for a name that another process took after it was found unused. */
export function takenMeanwhile(path: string): QueryveilError {
  return new QueryveilError(
    "output-exists",
    `${path}: was made by another run meanwhile, and is not replaced. Choose another name, or use --force.`,
    { file: path },
  )
}
