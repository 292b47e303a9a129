import type { Unit } from "../search-log.ts"
import { type ColumnChoice, columnNames } from "./columns.ts"

/** Which columns of a file were read: their names or positions, never their content. */
export interface Reading {
  format: string
  /** By name, by path (JSON), or by position from 1. */
  columns: ColumnChoice
  /**
   * How the columns were found: named by the caller, known from the format, recognised by name, or guessed by position.
   */
  found: "named" | "known" | "recognised" | "guessed"
}

/** Example: `read as delimited: user=visitor, query=term, time=at`. */
export function describeReading({ format, columns, found }: Reading, unit: Unit): string {
  const places = columnNames.flatMap((name) => (columns[name] === undefined ? [] : [`${name}=${columns[name]}`]))
  const counted = unit === "session" ? " by session" : ""
  const guessed =
    found === "guessed"
      ? ". There is no header, so positions were guessed. If they are wrong, name the columns with --columns."
      : ""
  return `read as ${format}${counted}: ${places.join(", ")}${guessed}`
}

/** Each reading once. The files of a log usually share one. */
export function distinctReadings(readings: readonly Reading[]): Reading[] {
  return [...new Map(readings.map((reading) => [JSON.stringify(reading), reading])).values()]
}
