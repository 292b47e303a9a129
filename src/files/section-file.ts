import { endianness } from "node:os"
import { crc32 } from "node:zlib"
import { type Static, Type, Value } from "#typebox"

/**
 * A file of typed arrays: a magic line, the length and CRC-32 of a header, the header as JSON, and the sections one after
 * the other, each with its length and CRC-32 in the header. Bytes are in the order of the machine, which the header names.
 * Nothing here opens files: what is written is given as chunks, what is read comes through a `ByteSource`.
 */
export interface SectionFormat {
  /** The first bytes, ending in a line feed. */
  magic: string
  /** Raise when the sections or what they mean change. */
  version: number
}

export interface Section {
  name: string
  bytes: Uint8Array
}

export interface ByteSource {
  /** Of all that is left to read. */
  size: number
  /** Fills `into` with the next bytes; false if there are not so many. */
  read(into: Uint8Array): Promise<boolean>
}

/** What came of reading: the content, or why there is none. */
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

/** The file's chunks, in order. `facts` is anything that JSON can hold. */
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

/** A file whose header is sound: what it says, and the sections, which are read when they are asked for. */
export interface OpenSections {
  state: "open"
  facts: unknown
  /** The sections, in shared memory; undefined where any bit differs. */
  read(): Promise<Map<string, SharedArrayBuffer> | undefined>
}

/** Opens what `encodeSections` gave: reads the header alone, so that the sections of a file that does not fit cost nothing. */
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

/** What a header says; undefined if it is none. Its checksum is no secret, so anyone can make a file with any header. */
function readHeader(text: string): Header | undefined {
  try {
    const header: unknown = JSON.parse(text)
    return Value.Check(headerSchema, header) ? header : undefined
  } catch {
    return undefined
  }
}

/** Reads what `encodeSections` gave, into shared memory. Any bit that differs is noticed. */
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

/** CRC-32, a slice at a time: the native call takes no more than 2 GiB at once. */
function checksum(bytes: Uint8Array): number {
  let value = 0
  for (let at = 0; at < bytes.length; at += slice) value = crc32(bytes.subarray(at, at + slice), value)
  return value
}

/** Something with the reading of a file handle of node:fs. */
export interface Readable {
  read(into: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }>
}

/** An open file from where it stands. `passed` is told how many bytes were read, every now and then, and may stop it. */
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
