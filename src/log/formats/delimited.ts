import { isTimeText } from "../../kernels/civil-time.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type ColumnChoice, type ColumnName, columnNames, columnsOfHeader } from "./columns.ts"
import type { LinePlan } from "./parsed-block.ts"
import { Unquoter } from "./unquote.ts"

const delimiters = ["\t", ",", ";", "|"] as const
const sampleBytes = 1 << 16

/**
 * CSV, TSV and the like: the delimiter is the one that occurs most in the first line; text between commas, semicolons
 * or bars may be quoted, text between tabs is taken as it is. Columns are those the caller names, else those that the
 * header names, else, without a header, (user, time, query) or (user, query, time), told apart by where the time is.
 */
export function planDelimited(head: Uint8Array, options: { columns: ColumnChoice; path: string }): LinePlan {
  const sample = Buffer.from(head.subarray(0, sampleBytes)).toString("utf8")
  const firstLine = sample.split("\n", 1)[0] ?? ""
  const delimiter = delimiters.reduce((best, other) =>
    count(firstLine, other) > count(firstLine, best) ? other : best,
  )
  const quoted = delimiter !== "\t"
  const [first = [], second = []] = sampleRows(sample, delimiter, quoted)
  const { columns, headerLines } = placeColumns(first, second, options)
  const needed = Math.max(columns.user, columns.query, columns.time)
  return {
    format: "delimited",
    delimiter: quoted ? 9 : delimiter.charCodeAt(0),
    ...(quoted ? { quotedBy: delimiter.charCodeAt(0) } : {}),
    columns,
    minFields: needed + 1,
    maxFields: Math.max(first.length, second.length, needed + 1),
    headerLines,
    times: "any",
  }
}

/** Whether user, query and time can be told from a file's first bytes without being named. */
export function isDelimited(head: Uint8Array): boolean {
  try {
    planDelimited(head, { columns: {}, path: "" })
    return true
  } catch {
    return false
  }
}

const count = (text: string, character: string) => text.split(character).length

function sampleRows(sample: string, delimiter: string, quoted: boolean): string[][] {
  let text = sample
  if (quoted) {
    const bytes = Buffer.from(sample)
    const { bytes: plain, length } = new Unquoter(delimiter.charCodeAt(0)).convert({ bytes, length: bytes.length })
    if (length > 0) text = Buffer.from(plain.subarray(0, length)).toString("utf8")
  }
  return text
    .split("\n")
    .slice(0, 2)
    .map((line) =>
      line
        .replace(/\r$/, "")
        .split(quoted ? "\t" : delimiter)
        .map((cell) => cell.trim()),
    )
}

function placeColumns(
  first: readonly string[],
  second: readonly string[],
  { columns, path }: { columns: ColumnChoice; path: string },
): { columns: Record<ColumnName, number>; headerLines: number } {
  const guessed = columnsOfHeader(first)
  const named = columnNames.filter((name) => columns[name] !== undefined && !/^\d+$/.test(columns[name] ?? ""))
  const isHeader = named.length > 0 || (guessed.query >= 0 && !first.some(isTimeText))
  const found = isHeader ? guessed : guessByTime(first.some(isTimeText) ? first : second)
  for (const name of columnNames) {
    const place = columns[name]
    if (place === undefined) continue
    found[name] = /^\d+$/.test(place) ? Number(place) - 1 : first.indexOf(place)
    if (found[name] < 0) {
      throw new QueryveilError(
        "option-value",
        `${path}: has no column ${place} (--columns ${name}=${place}). Its header has ${first.length} columns.`,
        {
          file: path,
          flag: "--columns",
        },
      )
    }
  }
  for (const name of ["user", "query", "time"] as const) {
    if (found[name] >= 0) continue
    throw new QueryveilError(
      "input-rows",
      `${path}: no column for the ${name} was found. Say where it is, for example --columns user=1,query=3,time=2 (positions or header names).`,
      { file: path, flag: "--columns" },
    )
  }
  const isTitle = isHeader || !isTimeText(first[found.time] ?? "")
  return { columns: found, headerLines: isTitle ? 1 : 0 }
}

/** Without a header: the time is in the second or third column; the user comes first, the query is the other. */
function guessByTime(cells: readonly string[]): Record<ColumnName, number> {
  const time = cells.findIndex(isTimeText)
  const rest = { rank: cells.length === 5 ? 3 : -1, url: cells.length === 5 ? 4 : -1 }
  if (time === 1 && cells.length >= 3) return { user: 0, time, query: 2, ...rest }
  if (time === 2) return { user: 0, query: 1, time, ...rest }
  return { user: -1, query: -1, time: -1, rank: -1, url: -1 }
}
