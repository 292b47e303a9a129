import type { Unit } from "../search-log.ts"
import { type ColumnChoice, columnNames } from "./columns.ts"

/** Which columns a file was read by: their names or positions, never what is in them. */
export interface Reading {
  format: string
  /** By name, by path (JSON), or by position from 1. */
  columns: ColumnChoice
  /** Said by the caller, known of the format, recognised by their names, or guessed from their positions. */
  found: "named" | "known" | "recognised" | "guessed"
}

/** `read as delimited: user=visitor, query=term, time=at` */
export function describeReading({ format, columns, found }: Reading, unit: Unit): string {
  const places = columnNames.flatMap((name) => (columns[name] === undefined ? [] : [`${name}=${columns[name]}`]))
  const counted = unit === "session" ? " by session" : ""
  const guessed =
    found === "guessed"
      ? ". There is no header, so positions were guessed: name the columns with --columns if they are others."
      : ""
  return `read as ${format}${counted}: ${places.join(", ")}${guessed}`
}

/** Each reading once; the files of a log mostly have the same. */
export function distinctReadings(readings: readonly Reading[]): Reading[] {
  return [...new Map(readings.map((reading) => [JSON.stringify(reading), reading])).values()]
}
