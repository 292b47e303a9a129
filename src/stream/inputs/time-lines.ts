import { noTime } from "../../kernels/civil-time.ts"
import { convertBlock } from "../../log/formats/convert-block.ts"
import { TimeScanner } from "../../log/formats/field-scanner.ts"
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

const scanner = new TimeScanner({ seed: 0 })

/**
 * Returns the lines of a batch with their times. Records of JSON and similar formats are first converted to delimited
 * lines, one for each search, so that each has its own time. Headers and records without a search become empty lines,
 * which are counted but are not rows.
 */
export function timeLines(batch: InputBatch): TimedLines {
  const lines = plainLines(batch)
  const end: number[] = []
  const time: number[] = []
  visitLines(lines, (stop, seconds) => {
    end.push(stop)
    time.push(seconds)
  })
  return { bytes: lines.bytes, plan: lines.plan, end: Uint32Array.from(end), time: Int32Array.from(time) }
}

/** The latest time of a batch, if its lines are in order and none is earlier than `after`. Otherwise undefined. */
export function latestInOrder(batch: InputBatch, after: number): number | undefined {
  let latest = after
  let isOrdered = true
  visitLines(plainLines(batch), (_, seconds) => {
    if (seconds === noTime) return
    if (seconds < latest) isOrdered = false
    latest = seconds
  })
  return isOrdered ? latest : undefined
}

/** Calls `visit` for each line with the offset after it and its time, which is `noTime` if there is none. */
function visitLines(
  { bytes, length, plan, passed }: ReturnType<typeof plainLines>,
  visit: (end: number, seconds: number) => void,
): void {
  const { delimiter, columns, times = "civil" } = plan
  scanner.accepts = times
  for (let at = 0, line = 0; at < length; line++) {
    // One loop over the bytes: `indexOf` has a cost for each call, and fields are short.
    let before = columns.time
    for (; before > 0 && bytes[at] !== lineFeed; at++) if (bytes[at] === delimiter) before--
    let seconds = noTime
    if (before <= 0 && line >= passed) {
      at = scanner.scan(bytes, at, delimiter)
      seconds = scanner.seconds
    }
    while (bytes[at] !== lineFeed) at++
    visit(++at, seconds)
  }
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
  if (lines === 0) return { bytes, length }
  const padded = new Uint8Array(lines + length + 1).fill(lineFeed)
  padded.set(bytes.subarray(0, length), lines)
  return { bytes: padded, length: lines + length }
}
