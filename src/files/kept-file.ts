import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { systemCode } from "../kernels/error.ts"
import { sweepStale } from "./partial-names.ts"
import { makePrivateFolder } from "./private-folder.ts"
import { byteSource, openSections, type SectionFormat } from "./section-file.ts"
import { writeError } from "./write-error.ts"
import { writeChunksWhole } from "./write-file.ts"

/** The content of a cache file. */
export interface Kept {
  facts: unknown
  sections: Map<string, SharedArrayBuffer>
}

export interface LoadOptions {
  /** Called with the number of bytes read so far. May throw to stop. */
  progress?: (done: number, total: number) => Promise<void>
  /** Decides from the facts whether to read the rest (default: yes). */
  isWanted?: (facts: unknown) => Promise<boolean>
}

/**
 * The content of a cache file of this format. Undefined if there is no file, or it is of another version, damaged or
 * unreadable. Whatever is wrong with a cache, its content is made again.
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

/** Writes chunks to a cache file that only its owner can read, in a folder that is created if needed. */
export async function saveKept(
  path: string,
  chunks: readonly Uint8Array[],
  { progress }: Pick<LoadOptions, "progress"> = {},
): Promise<void> {
  try {
    await makePrivateFolder(dirname(path))
    await sweepStale(dirname(path)) // abandoned copies of a log
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
