import { isTimeText } from "../../kernels/civil-time.ts"
import { meaningOfName } from "./columns.ts"
import { Unquoter } from "./unquote.ts"

const delimiters = ["\t", ",", ";", "|"] as const
const sampleBytes = 1 << 16
const sampleRows = 20

/** The first rows of a file, split at its delimiter. */
export interface DelimitedLayout {
  delimiter: string
  /** True if text may be quoted. Tab-separated text is taken as it is. */
  quoted: boolean
  /** Without blank lines. */
  rows: string[][]
  /** Number of lines before the first row. */
  blankLines: number
  /** True if every row has as many cells as the first, and at least two. */
  consistent: boolean
  /** True if the first line is longer than the sample. It then says nothing about the others. */
  isCut: boolean
}

/**
 * Finds out how the lines of a file are split. Prefers a delimiter that gives known names or times, then one that
 * splits all lines into the same number of cells, then the one that occurs most often in the first line.
 */
export function readLayout(head: Uint8Array): DelimitedLayout {
  const sample = Buffer.from(head.subarray(0, sampleBytes))
    .toString("utf8")
    .replace(/^\ufeff/, "")
  const end = head.length > sampleBytes ? sample.lastIndexOf("\n") + 1 : sample.length
  const text = end === 0 ? sample : `${sample.slice(0, end)}\n`
  const isCut = end === 0 && head.length > sampleBytes
  const layouts = delimiters.map((delimiter) => cutSample(text, { delimiter, isCut }))
  return layouts.reduce((best, other) => (isBetter(other, best) ? other : best))
}

function isBetter(a: DelimitedLayout, b: DelimitedLayout): boolean {
  if (fits(a) !== fits(b)) return fits(a)
  const [cuts, otherCuts] = [a, b].map(({ consistent, rows }) => consistent && (rows[0]?.length ?? 0) >= 3)
  if (cuts !== otherCuts) return cuts === true
  return (a.rows[0]?.length ?? 0) > (b.rows[0]?.length ?? 0)
}

/** True if there are three cells, and two known names in the first row or a time in some row. */
function fits({ rows }: DelimitedLayout): boolean {
  const known = rows[0]?.filter((cell) => meaningOfName(cell) !== undefined).length ?? 0
  return (rows[0]?.length ?? 0) >= 3 && (known >= 2 || rows.some((row) => row.some(isTimeText)))
}

function cutSample(sample: string, { delimiter, isCut }: { delimiter: string; isCut: boolean }): DelimitedLayout {
  const quoted = delimiter !== "\t"
  let text = sample
  if (quoted) {
    const bytes = Buffer.from(sample)
    const { bytes: plain, length } = new Unquoter(delimiter.charCodeAt(0)).convert({ bytes, length: bytes.length })
    if (length > 0) text = Buffer.from(plain.subarray(0, length)).toString("utf8")
  }
  const lines = text.split("\n")
  const blankLines = lines.findIndex((line) => line.trim() !== "")
  const rows = lines
    .filter((line) => line.trim() !== "")
    .slice(0, sampleRows)
    .map((line) => line.split(quoted ? "\t" : delimiter).map((cell) => cell.trim()))
  const width = rows[0]?.length ?? 0
  const consistent = !isCut && width >= 2 && rows.every((row) => row.length === width)
  return { delimiter, quoted, rows, blankLines: Math.max(0, blankLines), consistent, isCut }
}
