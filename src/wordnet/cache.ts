import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { byteSource, decodeSections, encodeSections } from "../kernels/section-file.ts"
import { type ColumnLengths, columnBytes, lengthsOf, viewColumns, type WordNetColumns } from "./columns.ts"
import { type Source, sourceFiles } from "./source.ts"

/** Raise the version when the columns or the parser change what they give. */
const format = { magic: "queryveil wordnet cache\n", version: 2 }
const sectionName = "columns"

/** Which database the columns were made from, and how long they are. */
interface Facts {
  sizes: Source["sizes"]
  lengths: ColumnLengths
}

const pathIn = (folder: string) => join(folder, "wordnet.cache")

/**
 * The columns kept in this folder, if they were made by this version from a database of these sizes and are undamaged.
 * The file is a header and the shared buffer as it is, so opening is one read and one checksum.
 */
export async function loadColumns(folder: string, source: Source): Promise<WordNetColumns | undefined> {
  let file: FileHandle
  try {
    file = await open(pathIn(folder), "r")
  } catch {
    return undefined
  }
  try {
    const kept = await decodeSections(byteSource(file, (await file.stat()).size), format)
    if (kept.state !== "read") return undefined
    const { sizes, lengths } = kept.facts as Facts // its checksum holds, so it is what was saved
    const body = kept.sections.get(sectionName)
    if (sourceFiles.some((name) => sizes[name] !== source.sizes[name]) || body === undefined) return undefined
    return viewColumns(body, lengths)
  } catch {
    return undefined // a folder in its place, a failing disk: whatever it is, WordNet is read anew
  } finally {
    await file.close()
  }
}

/** Keeps the columns: written beside and renamed, so that a reader sees a whole file or none. */
export async function saveColumns(folder: string, columns: WordNetColumns, { sizes }: Source): Promise<void> {
  const lengths = lengthsOf(columns)
  const body = new Uint8Array(columns.lemmaArena.buffer, 0, columnBytes(lengths))
  const facts: Facts = { sizes, lengths }
  const temporary = `${pathIn(folder)}.${randomUUID()}.partial`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(temporary, "wx")
    try {
      for (const part of encodeSections([{ name: sectionName, bytes: body }], { ...format, facts }))
        await writeFully(file, part)
    } finally {
      await file.close()
    }
    await rename(temporary, pathIn(folder))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new QueryveilError("output-unwritable", `${folder}: the cache of WordNet cannot be written (${code}).`, {
      file: folder,
      cause: error,
    })
  }
}

async function writeFully(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
}
