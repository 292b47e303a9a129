import { endianness } from "node:os"
import { crc32 } from "node:zlib"
import { type Static, Type, Value } from "#typebox"

/**
 * A file of typed arrays: a magic line, the length and CRC-32 of a header, the header as JSON, and the sections one
 * after the other. The header has the length and CRC-32 of each section. Bytes are in the order of the machine, which
 * the header names. Nothing here opens files: output is returned as chunks, and input comes from a `ByteSource`.
 */
export interface SectionFormat {
  /** The first bytes, ending with a line feed. */
  magic: string
  /** Raise when the sections or their meaning change. */
  version: number
}

export interface Section {
  name: string
  bytes: Uint8Array
}

export interface ByteSource {
  /** Total number of bytes to read. */
  size: number
  /** Fills `into` with the next bytes. Returns false if there are too few. */
  read(into: Uint8Array): Promise<boolean>
}

/** The result of reading: the content, or why there is none. */
export type SectionsRead =
  | { state: "read"; facts: unknown; sections: Map<string, SharedArrayBuffer> }
  | { state: "foreign" | "version" | "damaged" }

const whole = Type.Integer({ minimum: 0 })

const headerSchema = Type.Object({
  version: Type.Number(),
  endianness: Type.String(),
  facts: Type.Optional(Type.Unknown()),
  sections: Type.Array(Type.Object({ name: Type.String(), bytes: whole, crc32: whole })),
})

type Header = Static<typeof headerSchema>

const longestHeader = 1 << 26
const slice = 64 << 20

/** The chunks of the file, in order. `facts` is anything that JSON can represent. */
export function encodeSections(
  sections: readonly Section[],
  { magic, version, facts }: SectionFormat & { facts: unknown },
): Uint8Array[] {
  const header: Header = {
    version,
    endianness: endianness(),
    facts,
    sections: sections.map(({ name, bytes }) => ({ name, bytes: bytes.length, crc32: checksum(bytes) })),
  }
  const head = Buffer.from(JSON.stringify(header))
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32LE(head.length, 0)
  numbers.writeUInt32LE(crc32(head), 4)
  return [Buffer.from(magic), numbers, head, ...sections.map(({ bytes }) => bytes)]
}

/** A file whose header is valid: its facts, and the sections, which are read on request. */
export interface OpenSections {
  state: "open"
  facts: unknown
  /** Reads the sections into shared memory. Undefined if a checksum does not match. */
  read(): Promise<Map<string, SharedArrayBuffer> | undefined>
}

/** Opens what `encodeSections` returned. Reads only the header, so that a file that does not match costs little. */
export async function openSections(
  source: ByteSource,
  { magic, version }: SectionFormat,
): Promise<OpenSections | { state: "foreign" | "version" | "damaged" }> {
  const start = new Uint8Array(magic.length + 8)
  if (!(await source.read(start)) || Buffer.from(start).toString("latin1", 0, magic.length) !== magic)
    return { state: "foreign" }
  const numbers = new DataView(start.buffer, magic.length)
  const headLength = numbers.getUint32(0, true)
  if (headLength > Math.min(longestHeader, source.size)) return { state: "damaged" }
  const head = new Uint8Array(headLength)
  if (!(await source.read(head)) || crc32(head) !== numbers.getUint32(4, true)) return { state: "damaged" }
  const header = readHeader(Buffer.from(head).toString())
  if (header === undefined) return { state: "damaged" }
  if (header.version !== version || header.endianness !== endianness()) return { state: "version" }
  const length = header.sections.reduce((sum, { bytes }) => sum + bytes, start.length + headLength)
  if (source.size !== length) return { state: "damaged" }
  return { state: "open", facts: header.facts, read: () => readSections(source, header) }
}

/**
 * Parses a header; undefined if it is invalid. Its checksum is no secret, so anyone can make a file with any header.
 */
function readHeader(text: string): Header | undefined {
  try {
    const header: unknown = JSON.parse(text)
    return Value.Check(headerSchema, header) ? header : undefined
  } catch {
    return undefined
  }
}

/** Reads what `encodeSections` returned into shared memory. Checks all checksums. */
export async function decodeSections(source: ByteSource, format: SectionFormat): Promise<SectionsRead> {
  const opened = await openSections(source, format)
  if (opened.state !== "open") return opened
  const sections = await opened.read()
  return sections === undefined ? { state: "damaged" } : { state: "read", facts: opened.facts, sections }
}

async function readSections(source: ByteSource, header: Header): Promise<Map<string, SharedArrayBuffer> | undefined> {
  const sections = new Map<string, SharedArrayBuffer>()
  for (const { name, bytes, crc32: expected } of header.sections) {
    const section = new Uint8Array(new SharedArrayBuffer(bytes))
    if (!(await source.read(section)) || checksum(section) !== expected) return undefined
    sections.set(name, section.buffer)
  }
  return sections
}

/** CRC-32, one slice at a time, because the native call accepts at most 2 GiB. */
function checksum(bytes: Uint8Array): number {
  let value = 0
  for (let at = 0; at < bytes.length; at += slice) value = crc32(bytes.subarray(at, at + slice), value)
  return value
}

/** Anything that reads like a file handle of node:fs. */
export interface Readable {
  read(into: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }>
}

/**
 * Reads an open file from its current position. `passed` gets the number of bytes read so far, from time to time, and
 * may throw to stop.
 */
export function byteSource(file: Readable, size: number, passed?: (bytes: number) => Promise<void>): ByteSource {
  let done = 0
  return {
    size,
    read: async (into) => {
      for (let at = 0; at < into.length; ) {
        const { bytesRead } = await file.read(into, at, Math.min(slice, into.length - at))
        if (bytesRead === 0) return false
        at += bytesRead
        done += bytesRead
        await passed?.(done)
      }
      return true
    },
  }
}
