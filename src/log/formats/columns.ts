import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnMeaning, columnMeanings } from "./column-names.ts"

/** The columns that a log can have, by the names that the option `columns` uses. */
export const columnNames = ["user", "query", "time", "rank", "url", "category"] as const
/** One of `columnNames`. */
export type ColumnName = (typeof columnNames)[number]
/** The columns that every row must have. */
export const neededColumns = ["user", "query", "time"] as const

/** Where a column is: a header name, or a position from 1. */
export type ColumnChoice = Partial<Record<ColumnName, string>>

/** Means that a column is not read, although its name would be recognised: `category=none`. */
export const noColumn = "none"

/** Parses `user=uid,query=q,time=3`. */
export function parseColumns(text: string): ColumnChoice {
  const choice: ColumnChoice = {}
  for (const part of text.split(",")) {
    const [name = "", ...rest] = part.split("=")
    const known = columnNames.find((candidate) => candidate === name.trim())
    const place = rest.join("=").trim()
    if (known === undefined || place === "") {
      throw new QueryveilError(
        "option-value",
        `--columns: "${part.trim()}" is not NAME=COLUMN with NAME one of ${columnNames.join(", ")}, ` +
          "for example user=1,query=3,time=2.",
        { flag: "--columns" },
      )
    }
    choice[known] = place
  }
  const twice = neededColumns.find((a) => neededColumns.some((b) => a !== b && choice[a] && choice[a] === choice[b]))
  if (twice === undefined) return choice
  throw new QueryveilError(
    "option-value",
    `--columns: the ${twice} is the same column as another. Name one for each.`,
    {
      flag: "--columns",
    },
  )
}

/** A name in the form in which names are compared: without case, accents, spaces, dashes, underscores and quotes. */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
}

const meaningOf = new Map<string, ColumnMeaning>(
  Object.entries(columnMeanings).flatMap(([meaning, names]) =>
    names.map((name) => [name, meaning as ColumnMeaning] as const),
  ),
)

/** What a name means; undefined if the name is unknown. */
export function meaningOfName(name: string): ColumnMeaning | undefined {
  return meaningOf.get(plainName(name))
}

/** The columns that were recognised by their names. */
export interface RecognisedColumns {
  /** -1: no name means this column. */
  columns: Record<ColumnName, number>
  /** Columns whose names mean the same. None of them was taken. */
  rivals: Partial<Record<ColumnName, readonly number[]>>
}

/** What a unit counts, by the meanings of column names. An account is preferred to a device. */
const unitMeanings: Record<Unit, readonly ColumnMeaning[]> = { user: ["person", "device"], session: ["session"] }

/**
 * The columns that a header names. A column is the user only if its name means a user and no other column has the same
 * meaning. Which of two accounts is the person is never guessed.
 */
export function recogniseColumns(header: readonly string[], unit: Unit): RecognisedColumns {
  const names = header.map(plainName)
  const rivals: RecognisedColumns["rivals"] = {}
  const only = (column: ColumnName, places: readonly number[]) => {
    if (places.length > 1) rivals[column] = places
    return places.length === 1 ? places[0] : -1
  }
  const placesOf = (test: (name: string) => boolean) => names.flatMap((name, at) => (test(name) ? [at] : []))
  const findUser = () => {
    for (const meaning of unitMeanings[unit]) {
      const places = placesOf((name) => meaningOf.get(name) === meaning)
      if (places.length > 0) return only("user", places)
    }
    return -1
  }
  const findFirst = (column: "query" | "time") => {
    const name = columnMeanings[column].find((candidate) => names.includes(candidate))
    return name === undefined
      ? -1
      : only(
          column,
          placesOf((other) => other === name),
        )
  }
  const findAny = (column: "rank" | "url" | "category") => {
    const name = columnMeanings[column].find((candidate) => names.includes(candidate))
    return name === undefined ? -1 : names.indexOf(name)
  }
  const columns = {
    user: findUser(),
    query: findFirst("query"),
    time: findFirst("time"),
    rank: findAny("rank"),
    url: findAny("url"),
    category: findAny("category"),
  }
  return { columns, rivals }
}
