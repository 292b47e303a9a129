import { createHash, randomUUID } from "node:crypto"
import { constants, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { endianness } from "node:os"
import { join, resolve } from "node:path"
import { crc32 } from "node:zlib"
import { breathe, type RunContext } from "../kernels/context.ts"
import { dictionaryFrom } from "../kernels/dictionary.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { fingerprintFile } from "./blocks.ts"
import { findInputs, type InputFile } from "./inputs.ts"
import type { Intake } from "./intake.ts"
import type { ReadResult } from "./parse-sources.ts"
import type { SearchLog, Unit } from "./search-log.ts"

/** Raise when the log in memory, normalisation or the parsers change what they give. */
const cacheVersion = 4
const magic = "queryveil log cache\n"
const slice = 64 << 20

interface Section {
  name: string
  bytes: number
  crc32: number
}

interface Header {
  version: number
  endianness: string
  stamps: string[]
  intake: Omit<Intake, "rejects" | "cached">
  unit: Unit
  rows: number
  events: number
  sections: Section[]
}

/**
 * A folder of parsed logs, one file for each set of inputs and options, mode 0600: it holds every query of the log.
 * A file is used while the inputs' stamps (size, times, inode) or, failing that, their SHA-256 are those it was made
 * from, and its version is ours; whatever is wrong with it otherwise, the log is simply parsed again.
 */
export async function openCache(folder: string, options: { inputs: InputFile[]; reading: object }) {
  const { inputs, reading } = options
  const key = JSON.stringify([reading, inputs.map(({ path }) => resolve(path))])
  const path = join(folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.log`)
  const cacheable = inputs.every(({ stamp }) => stamp !== undefined)
  return {
    load: async (context: RunContext): Promise<ReadResult | undefined> =>
      cacheable ? loadLog(path, inputs, context) : undefined,

    save: async (result: ReadResult, context: RunContext): Promise<void> => {
      if (!cacheable) {
        result.intake.warnings.push("What is read from a pipe or the standard input is not kept in the cache.")
        return
      }
      const now = await findInputs(inputs.map((input) => input.path)).catch(() => [])
      if (now.length !== inputs.length || now.some(({ stamp }, i) => stamp !== inputs[i].stamp)) {
        result.intake.warnings.push("The log changed while it was read; it was not kept in the cache.")
        return
      }
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await sweepStale(folder, context.now())
        await saveLog(path, inputs, result, context)
      } catch (error) {
        const code = systemCode(error)
        if (code === undefined) throw error
        throw new QueryveilError("output-unwritable", `${folder}: the cache cannot be written (${code}).`, {
          file: folder,
          cause: error,
        })
      }
    },
  }
}

const staleAfter = 24 * 3600 * 1000

/** Removes what killed runs left half written: a copy of the log that nobody will use. A day old, it is of no live run. */
async function sweepStale(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = name.endsWith(".partial") ? await stat(path).catch(() => undefined) : undefined
    if (found !== undefined && now - found.mtimeMs > staleAfter) await rm(path, { force: true })
  }
}

function sectionsOf({ log, intake }: ReadResult): { name: string; array: ArrayBufferView }[] {
  const { users, queries, urls } = log
  return [
    { name: "user", array: log.user },
    { name: "query", array: log.query },
    { name: "time", array: log.time },
    { name: "rank", array: log.rank },
    { name: "url", array: log.url },
    { name: "event", array: log.event },
    { name: "line", array: log.line },
    { name: "users.arena", array: users.parts().arena },
    { name: "users.offsets", array: users.parts().offsets },
    { name: "queries.arena", array: queries.parts().arena },
    { name: "queries.offsets", array: queries.parts().offsets },
    { name: "urls.arena", array: urls.parts().arena },
    { name: "urls.offsets", array: urls.parts().offsets },
    { name: "rejects.line", array: intake.rejects.line },
    { name: "rejects.reason", array: intake.rejects.reason },
  ]
}

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

async function saveLog(path: string, inputs: InputFile[], result: ReadResult, context: RunContext): Promise<void> {
  const { rejects: _rejects, cached: _cached, ...intake } = result.intake
  const parts = sectionsOf(result)
  const header: Header = {
    version: cacheVersion,
    endianness: endianness(),
    stamps: inputs.map(({ stamp }) => stamp ?? ""),
    intake,
    unit: result.log.unit,
    rows: result.log.rows,
    events: result.log.events,
    sections: parts.map(({ name, array }) => ({
      name,
      bytes: array.byteLength,
      crc32: checksum(bytesOf(array)),
    })),
  }
  const head = Buffer.from(JSON.stringify(header))
  const temporary = `${path}.${randomUUID()}.partial`
  const file = await open(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
  try {
    await file.writeFile(Buffer.concat([Buffer.from(magic), uint32(head.length), uint32(checksum(head)), head]))
    const total = header.sections.reduce((sum, { bytes }) => sum + bytes, 0)
    let done = 0
    for (const { array } of parts) {
      const bytes = bytesOf(array)
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, Math.min(slice, bytes.length - at))
        at += bytesWritten
        done += bytesWritten
        await breathe(context, { stage: "caching", done, total })
      }
    }
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}

async function loadLog(path: string, inputs: InputFile[], context: RunContext): Promise<ReadResult | undefined> {
  let file: FileHandle
  try {
    file = await open(path, "r")
  } catch {
    return undefined
  }
  try {
    const header = await readHeader(file)
    if (header === undefined || !(await madeFrom(header, inputs))) return undefined
    const sections = new Map<string, SharedArrayBuffer>()
    const total = header.sections.reduce((sum, { bytes }) => sum + bytes, 0)
    let done = 0
    for (const { name, bytes, crc32: expected } of header.sections) {
      const section = new Uint8Array(new SharedArrayBuffer(bytes))
      if (!(await readFully(file, section)) || checksum(section) !== expected) return undefined
      sections.set(name, section.buffer)
      done += bytes
      await breathe(context, { stage: "opening cache", done, total })
    }
    return restore(header, sections)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  } finally {
    await file.close()
  }
}

/** Puts the sections back into a log. Their checksums hold, so they are what `saveLog` wrote. */
function restore(header: Header, sections: Map<string, SharedArrayBuffer>): ReadResult {
  const take = (name: string) => sections.get(name) ?? new SharedArrayBuffer(0)
  const dictionary = (name: string) =>
    dictionaryFrom({
      arena: new Uint8Array(take(`${name}.arena`)),
      offsets: new Uint32Array(take(`${name}.offsets`)),
    })
  const log: SearchLog = {
    unit: header.unit,
    rows: header.rows,
    events: header.events,
    users: dictionary("users"),
    queries: dictionary("queries"),
    urls: dictionary("urls"),
    user: new Int32Array(take("user")),
    query: new Int32Array(take("query")),
    time: new Int32Array(take("time")),
    rank: new Uint16Array(take("rank")),
    url: new Int32Array(take("url")),
    event: new Int32Array(take("event")),
    line: new Uint32Array(take("line")),
  }
  const rejects = { line: new Uint32Array(take("rejects.line")), reason: new Uint8Array(take("rejects.reason")) }
  return { log, intake: { ...header.intake, rejects, cached: true } }
}

async function readHeader(file: FileHandle): Promise<Header | undefined> {
  const start = new Uint8Array(magic.length + 8)
  if (!(await readFully(file, start)) || Buffer.from(start).toString("latin1", 0, magic.length) !== magic)
    return undefined
  const numbers = new DataView(start.buffer, magic.length)
  const length = numbers.getUint32(0, true)
  if (length > 1 << 26) return undefined
  const head = new Uint8Array(length)
  if (!(await readFully(file, head)) || checksum(head) !== numbers.getUint32(4, true)) return undefined
  const header: Header = JSON.parse(Buffer.from(head).toString())
  return header.version === cacheVersion && header.endianness === endianness() ? header : undefined
}

async function madeFrom(header: Header, inputs: InputFile[]): Promise<boolean> {
  if (inputs.every(({ stamp }, i) => stamp === header.stamps[i])) return true
  const { files } = header.intake
  if (inputs.some(({ size }, i) => size !== files[i].bytes)) return false
  for (const [i, input] of inputs.entries()) if ((await fingerprintFile(input)) !== files[i].sha256) return false
  return true
}

async function readFully(file: FileHandle, into: Uint8Array): Promise<boolean> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, Math.min(slice, into.length - at))
    if (bytesRead === 0) return false
    at += bytesRead
  }
  return true
}

/** CRC-32, a slice at a time: the native call takes no more than 2 GiB at once. */
function checksum(bytes: Uint8Array): number {
  let value = 0
  for (let at = 0; at < bytes.length; at += slice) value = crc32(bytes.subarray(at, at + slice), value)
  return value
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
