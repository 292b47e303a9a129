import { QueryveilError } from "../../kernels/error.ts"
import type { StreamChange } from "../live/live-stream.ts"
import { ColumnReader, ColumnWriter } from "../store/columns.ts"
import type { StoredRecords } from "../store/frame.ts"
import { putRecords, recordBytes, takeRecords } from "./record-block.ts"

/** The first word of a message: the letters QV, the version of the form, and the kind of its content. */
const mark = 0x5651
const version = 1
const kinds = { records: 1, change: 2, end: 3 }
const headBytes = 8

/**
 * A message of a classified topic: searches with their topics, a change of the settings, or the end of what one
 * partition of the input sends to this topic. A change takes effect at its offset, so every worker that reads the
 * partition again does the same at the same place.
 */
export type ClassifiedMessage = { records: StoredRecords } | SentChange | { end: { input: number } }

/** A change, and check values of the versions of the secret: a worker that has others must not take the change. */
export interface SentChange {
  change: StreamChange
  secretChecks: readonly string[]
}

/** Encodes searches, all of the categories of one partition. Keeps no reference to them. */
export function encodeRecords(records: StoredRecords): Buffer {
  const bytes = Buffer.allocUnsafeSlow(headBytes + recordBytes(records))
  const out = new ColumnWriter(bytes, 0)
  out.put(headOf(kinds.records))
  putRecords(out, records)
  return bytes
}

/** Encodes a change of the settings. */
export const encodeChange = (sent: SentChange) => encodeJson(kinds.change, sent)

/** Encodes that a partition of the input sends no more searches to this topic. */
export const encodeEnd = (input: number) => encodeJson(kinds.end, { input })

function encodeJson(kind: number, value: object): Buffer {
  const head = Buffer.alloc(headBytes)
  new ColumnWriter(head, 0).put(headOf(kind))
  return Buffer.concat([head, Buffer.from(JSON.stringify(value))])
}

/** Decodes a message. `place` says where it is, for the error. */
export function decodeClassified(value: Buffer | null, place: string): ClassifiedMessage {
  const bytes = value ?? Buffer.alloc(0)
  try {
    const source = new ColumnReader(bytes, 0)
    const [word] = source.uint32(2)
    if ((word & 0xffff) !== mark) throw new RangeError("it has another form")
    if (((word >>> 16) & 0xff) !== version) throw new RangeError("it is of another version of queryveil")
    if (word >>> 24 === kinds.records) return { records: takeRecords(source) }
    if (word >>> 24 === kinds.change) return JSON.parse(bytes.toString("utf8", headBytes))
    if (word >>> 24 === kinds.end) return { end: JSON.parse(bytes.toString("utf8", headBytes)) }
    throw new RangeError("it is of an unknown kind")
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
    // The text of a SyntaxError quotes the message.
    const why = error instanceof RangeError ? error.message : "its content cannot be read"
    throw new QueryveilError(
      "kafka-message",
      [
        `${place}: is not a message of queryveil stream classify (${why}).`,
        "Only classifiers may write this topic, and all workers must be of one version.",
      ].join(" "),
    )
  }
}

const headOf = (kind: number) => Uint32Array.of((mark | (version << 16) | (kind << 24)) >>> 0, 0)
