import { anyTimeReader, civilTimeReader, noTime } from "../../kernels/civil-time.ts"
import { convertBlock } from "../../log/formats/convert-block.ts"
import { FieldScanner } from "../../log/formats/field-scanner.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { InputBatch } from "../live/transport.ts"

/** The time of a line without a readable time, as an Int32Array stores it. Such a line sorts before all others. */
export const timeless = noTime | 0

const lineFeed = 10

/** Delimited lines with the time of each. */
export interface TimedLines {
  bytes: Uint8Array
  plan: LinePlan
  /** Offset after the line feed of each line. */
  end: Uint32Array
  /** UTC seconds, or `timeless`. */
  time: Int32Array
}

const scanner = new FieldScanner({ seed: 0, cleans: false })
const readCivilTime = civilTimeReader()
const readAnyTime = anyTimeReader()

/**
 * Returns the lines of a batch with their times. Records of JSON and similar formats are first converted to delimited
 * lines, one for each search, so that each has its own time. Headers and records without a search become empty lines,
 * which are counted but are not rows.
 */
export function timeLines(batch: InputBatch): TimedLines {
  const { bytes, length, plan, passed } = plainLines(batch)
  const { delimiter, columns, times } = plan
  const readTime = times === "any" ? readAnyTime : readCivilTime
  const end: number[] = []
  const time: number[] = []
  for (let at = 0; at < length; ) {
    let stop = bytes.indexOf(lineFeed, at)
    if (stop < 0) stop = length
    const field = findField(bytes, { from: at, to: stop, delimiter, field: columns.time })
    let seconds = noTime
    if (field >= 0 && end.length >= passed) {
      scanner.scan(bytes, field, delimiter)
      seconds = readTime(bytes, scanner.start, scanner.end)
    }
    at = stop + 1
    end.push(at)
    time.push(seconds)
  }
  return { bytes, plan, end: Uint32Array.from(end), time: Int32Array.from(time) }
}

/** The lines as the parser takes them, ending with a line feed. The first `passed` lines are empty. */
function plainLines({ bytes, length, plan, skipLines }: InputBatch) {
  const closed = length > 0 && bytes[length - 1] !== lineFeed ? length + 1 : length
  bytes[length] = lineFeed
  const { conversion, ...rest } = plan
  if (conversion !== undefined) {
    const converted = convertBlock({ bytes, length }, conversion)
    const passed = converted.lines - new Set(converted.lineOf).size
    return { ...padLines(converted, passed), plan: { ...rest, converted: true }, passed }
  }
  let at = 0
  for (let line = 0; line < skipLines; line++) at = bytes.indexOf(lineFeed, at) + 1
  const rows = { bytes: bytes.subarray(at), length: closed - at }
  return { ...padLines(rows, skipLines), plan, passed: skipLines }
}

/** Adds `lines` empty lines before the others. */
function padLines({ bytes, length }: { bytes: Uint8Array; length: number }, lines: number) {
  const padded = new Uint8Array(lines + length + 1).fill(lineFeed)
  padded.set(bytes.subarray(0, length), lines)
  return { bytes: padded, length: lines + length }
}

/** Offset at which a field of the line [from, to) starts; -1 if the line has no such field. */
function findField(
  bytes: Uint8Array,
  { from, to, delimiter, field }: { from: number; to: number; delimiter: number; field: number },
): number {
  let at = from
  for (let i = 0; i < field; i++) {
    at = bytes.indexOf(delimiter, at) + 1
    if (at === 0 || at > to) return -1
  }
  return at
}
