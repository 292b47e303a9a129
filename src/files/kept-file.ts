import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { systemCode } from "../kernels/error.ts"
import { sweepStale } from "./partial-names.ts"
import { makePrivateFolder } from "./private-folder.ts"
import { byteSource, openSections, type SectionFormat } from "./section-file.ts"
import { writeError } from "./write-error.ts"
import { writeChunksWhole } from "./write-file.ts"

/** What a cache file holds. */
export interface Kept {
  facts: unknown
  sections: Map<string, SharedArrayBuffer>
}

export interface LoadOptions {
  /** Called with the bytes read so far; may throw to stop. */
  progress?: (done: number, total: number) => Promise<void>
  /** Decides from the facts whether the rest is read (default: it is). */
  isWanted?: (facts: unknown) => Promise<boolean>
}

/**
 * What is kept in a cache file of this format, or undefined: no file, one of another version, a damaged one, a failing disk.
 * Whatever is wrong with a cache, what it holds is made again.
 */
export async function loadKept(
  path: string,
  format: SectionFormat,
  options: LoadOptions = {},
): Promise<Kept | undefined> {
  let file: FileHandle
  try {
    file = await open(path, "r")
  } catch {
    return undefined
  }
  try {
    const { size } = await file.stat()
    const { progress, isWanted } = options
    const source = byteSource(file, size, progress && ((done) => progress(done, size)))
    const kept = await openSections(source, format)
    if (kept.state !== "open" || (await isWanted?.(kept.facts)) === false) return undefined
    const sections = await kept.read()
    return sections && { facts: kept.facts, sections }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  } finally {
    await file.close()
  }
}

/** Keeps chunks in a cache file, readable by its owner only, in a folder that is made if needed. */
export async function saveKept(
  path: string,
  chunks: readonly Uint8Array[],
  { progress }: Pick<LoadOptions, "progress"> = {},
): Promise<void> {
  try {
    await makePrivateFolder(dirname(path))
    await sweepStale(dirname(path)) // copies of a log that nobody would use
    const total = chunks.reduce((sum, { length }) => sum + length, 0)
    let done = 0
    await writeChunksWhole(path, chunks, {
      mode: 0o600,
      each: async ({ length }) => {
        done += length
        await progress?.(done, total)
      },
    })
  } catch (error) {
    throw writeError(dirname(path), error)
  }
}
