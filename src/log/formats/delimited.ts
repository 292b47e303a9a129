import { isTimeText } from "../../kernels/civil-time.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import {
  type ColumnChoice,
  type ColumnName,
  columnNames,
  neededColumns,
  noColumn,
  plainName,
  type RecognisedColumns,
  recogniseColumns,
} from "./columns.ts"
import { type DelimitedLayout, readLayout } from "./delimited-layout.ts"
import { type HeaderKind, namesToShow, tellHeader, unquoteName } from "./header.ts"
import type { LinePlan } from "./parsed-block.ts"
import type { Reading } from "./reading.ts"
import { placeOfName, refuseColumns } from "./refuse-columns.ts"

interface Options {
  columns: ColumnChoice
  path: string
  unit: Unit
}

type Places = Record<ColumnName, number>

/**
 * CSV, TSV and the like. Columns are those that the caller names, or else those that the header names. Positions are
 * guessed only if there is no header: (user, time, query) or (user, query, time), depending on where the time is.
 */
export function planDelimited(head: Uint8Array, options: Options): LinePlan {
  const layout = readLayout(head)
  const { delimiter, quoted, rows } = layout
  const { columns, hasHeader, reading } = placeColumns(layout, options)
  const needed = Math.max(columns.user, columns.query, columns.time)
  const width = Math.max(rows[0]?.length ?? 0, rows[1]?.length ?? 0)
  return {
    format: "delimited",
    delimiter: quoted ? 9 : delimiter.charCodeAt(0),
    ...(quoted ? { quotedBy: delimiter.charCodeAt(0) } : {}),
    columns,
    minFields: needed + 1,
    maxFields: Math.max(width, needed + 1),
    headerLines: hasHeader ? layout.blankLines + 1 : 0,
    times: "any",
    reading,
  }
}

/** True if the first bytes of a file are lines that a delimiter splits into columns, whatever the columns are. */
export function isDelimited(head: Uint8Array): boolean {
  const { rows, consistent } = readLayout(head)
  return consistent || tellHeader(rows) === "named" || guessPositions(rows).time >= 0
}

/** True if the first line of a file is not a row but the names of its columns. */
export function startsWithHeader(head: Uint8Array): boolean {
  const { rows, isCut } = readLayout(head)
  return !isCut && tellHeader(rows) !== "none"
}

function placeColumns(
  { rows }: DelimitedLayout,
  options: Options,
): { columns: Places; hasHeader: boolean; reading: Reading } {
  const [first = []] = rows
  const { columns: said } = options
  const kind = tellHeader(rows)
  const byName = columnNames.some(
    (name) => said[name] !== undefined && said[name] !== noColumn && !isPosition(said[name]),
  )
  const named = byName || kind !== "none"
  const { columns: told, rivals } = named ? recogniseColumns(first, options.unit) : guessColumns(rows)
  const places: Places = { ...told }
  for (const name of columnNames) {
    const place = said[name]
    if (name === "category" && place === noColumn) places[name] = -1
    else if (place !== undefined) places[name] = findPlace(first, place, { column: name, path: options.path })
  }
  for (const name of columnNames) {
    // A column that the caller assigned is not guessed to be another one as well.
    const taken = columnNames.some((other) => said[other] !== undefined && places[other] === places[name])
    if (said[name] === undefined && taken) places[name] = -1
  }
  const shown = namesToShow(first, kind)
  if (neededColumns.some((name) => places[name] < 0)) throw refuse(rows, { ...options, kind, places, rivals })
  refuseSame(places)
  const toldPlace = placeToShow(shown, first)
  const placeOf = (name: ColumnName) => said[name] ?? toldPlace(places[name])
  const isSaid = neededColumns.every((name) => said[name] !== undefined)
  return {
    columns: places,
    hasHeader: named || !isTimeText(first[places.time] ?? ""),
    reading: {
      format: "delimited",
      columns: Object.fromEntries(columnNames.flatMap((name) => (places[name] < 0 ? [] : [[name, placeOf(name)]]))),
      found: isSaid ? "named" : named ? "recognised" : "guessed",
    },
  }
}

const isPosition = (place: string | undefined) => /^\d+$/.test(place ?? "")

/** The column at a position, or with a name. An exact match of the name is preferred to one by `plainName`. */
function findPlace(
  header: readonly string[],
  place: string,
  { column, path }: { column: ColumnName; path: string },
): number {
  const names = header.map(unquoteName)
  const exact = names.flatMap((name, at) => (name === place || header[at] === place ? [at] : []))
  const wanted = plainName(place)
  const alike = names.flatMap((name, at) => (wanted !== "" && plainName(name) === wanted ? [at] : []))
  const found = isPosition(place) ? [Number(place) - 1] : exact.length > 0 ? exact : alike
  if (found.length === 1 && found[0] >= 0) return found[0]
  const what =
    found.length > 1
      ? `has ${found.length} columns called ${place}`
      : `has no column ${place}. Its first line has ${header.length} columns`
  throw new QueryveilError(
    "option-value",
    `${path}: ${what} (--columns ${column}=${place}). Give the position of the column, from 1.`,
    { file: path, flag: "--columns" },
  )
}

function refuseSame(places: Places): void {
  const same = neededColumns.find((a) => neededColumns.some((b) => a !== b && places[a] === places[b]))
  if (same === undefined) return
  throw new QueryveilError("option-value", `--columns: the ${same} is the same column as another. Name one for each.`, {
    flag: "--columns",
  })
}

/** Gives a column by its name if that may be shown, or else by its position. A header may have 64 Ki columns. */
function placeToShow(shown: readonly (string | undefined)[], header: readonly string[]): (at: number) => string {
  const times = new Map<string, number>()
  for (const name of header.map(plainName)) times.set(name, (times.get(name) ?? 0) + 1)
  return (at) => {
    const name = shown[at]
    return name === undefined ? String(at + 1) : placeOfName(name, at, { isOnly: times.get(plainName(name)) === 1 })
  }
}

function refuse(
  rows: readonly string[][],
  found: Options & { kind: HeaderKind; places: Places; rivals: RecognisedColumns["rivals"] },
): QueryveilError {
  const { kind, places, rivals, path, unit } = found
  const [first = []] = rows
  const shown = namesToShow(first, kind)
  const data = kind === "none" ? rows : rows.slice(1)
  const width = Math.max(...rows.map(({ length }) => length), 0)
  const place = placeToShow(shown, first)
  const hinted = { ...places, time: places.time < 0 ? findTimes(data, width) : places.time }
  return refuseColumns({
    path,
    unit,
    what: "column",
    columns: Array.from({ length: width }, (_, at) => ({
      name: shown[at],
      example: data.map((row) => row[at] ?? "").find((cell) => cell !== ""),
      place: place(at),
    })),
    found: Object.fromEntries(
      neededColumns.flatMap((name) => (hinted[name] < 0 ? [] : [[name, found.columns[name] ?? place(hinted[name])]])),
    ),
    rivals: Object.fromEntries(Object.entries(rivals).map(([name, ats]) => [name, ats.map(place)])),
  })
}

const none: Places = { user: -1, query: -1, time: -1, rank: -1, url: -1, category: -1 }

const guessColumns = (rows: readonly string[][]): RecognisedColumns => ({ columns: guessPositions(rows), rivals: {} })

/**
 * Guesses columns without a header: the time is in the second or third column, the user is first, the query is the
 * other.
 */
function guessPositions(rows: readonly string[][]): Places {
  const countTimes = (at: number) => rows.filter((row) => row.length >= 3 && isTimeText(row[at] ?? "")).length
  const [second, third] = [countTimes(1), countTimes(2)]
  if (second === third) return none
  const isFive = rows.find((row) => isTimeText(row[second > third ? 1 : 2] ?? ""))?.length === 5
  const click = { ...(isFive ? { rank: 3, url: 4 } : { rank: -1, url: -1 }), category: -1 }
  return second > third ? { user: 0, time: 1, query: 2, ...click } : { user: 0, query: 1, time: 2, ...click }
}

/** The only column that contains nothing but times, or -1. */
function findTimes(rows: readonly string[][], width: number): number {
  const isTimes = (at: number) => rows.length > 0 && rows.every((row) => isTimeText(row[at] ?? ""))
  const places = Array.from({ length: width }, (_, at) => at).filter(isTimes)
  return places.length === 1 ? places[0] : -1
}
