import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises"
import { endianness } from "node:os"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { type ColumnLengths, columnBytes, lengthsOf, viewColumns, type WordNetColumns } from "./columns.ts"
import { type Source, sourceFiles } from "./source.ts"

/** Raise when the columns or the parser change what they give. */
const cacheVersion = 1
const magic = "queryveil wordnet cache\n"
const longestHeader = 1 << 16

interface Header {
  version: number
  endianness: string
  sizes: Source["sizes"]
  lengths: ColumnLengths
  crc32: number
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
    const start = new Uint8Array(magic.length + 8)
    if (!(await readFully(file, start)) || Buffer.from(start).toString("latin1", 0, magic.length) !== magic)
      return undefined
    const numbers = new DataView(start.buffer, magic.length)
    const headLength = numbers.getUint32(0, true)
    if (headLength > longestHeader) return undefined
    const head = new Uint8Array(headLength)
    if (!(await readFully(file, head)) || crc32(head) !== numbers.getUint32(4, true)) return undefined
    const header: Header = JSON.parse(Buffer.from(head).toString())
    if (header.version !== cacheVersion || header.endianness !== endianness()) return undefined
    if (sourceFiles.some((name) => header.sizes[name] !== source.sizes[name])) return undefined

    const bytes = columnBytes(header.lengths)
    if ((await file.stat()).size !== start.length + headLength + bytes) return undefined
    const body = new Uint8Array(new SharedArrayBuffer(bytes))
    if (!(await readFully(file, body)) || crc32(body) !== header.crc32) return undefined
    return viewColumns(body.buffer, header.lengths)
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
  const header: Header = {
    version: cacheVersion,
    endianness: endianness(),
    sizes,
    lengths,
    crc32: crc32(body),
  }
  const head = Buffer.from(JSON.stringify(header))
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32LE(head.length, 0)
  numbers.writeUInt32LE(crc32(head), 4)
  const temporary = `${pathIn(folder)}.${randomUUID()}.partial`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(temporary, "wx")
    try {
      for (const part of [Buffer.from(magic), numbers, head, body]) await writeFully(file, part)
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

async function readFully(file: FileHandle, into: Uint8Array): Promise<boolean> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, into.length - at)
    if (bytesRead === 0) return false
    at += bytesRead
  }
  return true
}

async function writeFully(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
}
