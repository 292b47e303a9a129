import { isUtf8 } from "node:buffer"
import { converterOf } from "./converters.ts"
import { type Conversion, maxLineBytes, type RejectReason, reasonCode, rejectMark } from "./parsed-block.ts"

/** The values of a record; undefined where it has none. */
export interface Cells {
  user?: Cell
  query?: Cell
  time?: Cell
  rank?: Cell
  url?: Cell
  /** The key of the search that this record is, or belongs to. */
  key?: Cell
  /** The topic of the search. */
  category?: Cell
}

/** A cell of a row; undefined if it is empty. */
export type Cell = string | number | undefined

/**
 * Converts a record to rows. The result is empty if the record is of no interest, and has several rows if the record
 * contains several searches. If the record is invalid, the result is the reason. Reads one line (a JSON value, or a
 * line of text) and keeps nothing from line to line.
 */
export type Converter = (line: string) => readonly Cells[] | RejectReason

/** The position of each cell in a converted line. */
export const convertedColumns = { user: 0, query: 1, time: 2, rank: 3, url: 4 }
export const convertedKey = 5
export const convertedCategory = 6

export interface ConvertedBlock {
  bytes: Uint8Array
  length: number
  /** Number of lines of the block before conversion. */
  lines: number
  /** For each converted line, the number of its original line, from 1. */
  lineOf: Uint32Array
}

const lineFeed = 10

/** The records of a block as lines of tab-separated text. Most records are not searches and leave nothing behind. */
export function convertBlock(
  { bytes, length }: { bytes: Uint8Array; length: number },
  conversion: Conversion,
): ConvertedBlock {
  const convert = converterOf(conversion)
  const out: string[] = []
  const lineOf: number[] = []
  let lines = 0
  for (let start = 0; start < length; ) {
    let end = bytes.indexOf(lineFeed, start)
    if (end < 0 || end > length) end = length
    lines++
    const given = bytes.subarray(start, end)
    start = end + 1
    const rows = convertLine(given, convert)
    for (const row of typeof rows === "string" ? [lineOfReject(rows)] : rows) {
      out.push(row)
      lineOf.push(lines)
    }
  }
  const text = Buffer.from(out.length === 0 ? "" : `${out.join("\n")}\n`)
  const room = new Uint8Array(text.length + 1) // the parser ends the block with a line feed
  room.set(text)
  return { bytes: room, length: text.length, lines, lineOf: Uint32Array.from(lineOf) }
}

/**
 * How many times longer than its record the converted text may be: a record with many searches repeats a long user in
 * each row.
 */
const maxGrowth = 16

function convertLine(given: Uint8Array, convert: Converter): readonly string[] | RejectReason {
  if (given.length > maxLineBytes) return "length"
  if (!isUtf8(given)) return "encoding"
  const line = Buffer.from(given.buffer, given.byteOffset, given.length).toString("utf8").trim()
  if (line === "") return []
  const found = convert(line)
  if (typeof found === "string") return found
  const rows: string[] = []
  let room = maxGrowth * given.length
  for (const cells of found) {
    const row = lineOfCells(cells)
    room -= row.length
    if (room < 0) return "length"
    rows.push(row)
  }
  return rows
}

function lineOfReject(reason: RejectReason): string {
  return String.fromCharCode(rejectMark, 48 + reasonCode[reason])
}

/** Half of a surrogate pair. JSON can write it and UTF-8 cannot. */
const halfPair = /\p{Cs}/u

function lineOfCells({ user, query, time, rank, url, key, category }: Cells): string {
  const row = [user, query, time, rank, url, key, category].map(plain).join("\t")
  return halfPair.test(row) ? lineOfReject("syntax") : row
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in JSON must not split lines or cells
const control = /[\0-\x1f]/g

/** A cell without the characters that separate lines and cells. */
function plain(cell: Cell): string {
  if (cell === undefined) return ""
  return typeof cell === "number" ? String(cell) : cell.replace(control, " ")
}
