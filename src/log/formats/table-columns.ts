import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnChoice, columnNames, neededColumns, noColumn, plainName, recogniseColumns } from "./columns.ts"
import type { Reading } from "./reading.ts"
import { placeOfName, refuseColumns } from "./refuse-columns.ts"

/** The columns of a table that are read. */
export interface TableColumns {
  /** By column of a log: its index in the table; -1 if the table has no such column. */
  places: ReturnType<typeof recogniseColumns>["columns"]
  reading: Omit<Reading, "format">
}

/**
 * Finds the columns of a table by name: those that the caller names, or else those that are recognised. `sample` reads
 * the first row. Its masked values are shown if a column is missing.
 */
export async function chooseTableColumns(
  names: readonly string[],
  options: { columns: ColumnChoice; path: string; unit: Unit; sample(): Promise<readonly string[]> },
): Promise<TableColumns> {
  const { columns, path, unit, sample } = options
  const { columns: places, rivals } = recogniseColumns(names, unit)
  const placeOf = (at: number) => {
    const isOnly = names.filter((name) => plainName(name) === plainName(names[at])).length === 1
    return placeOfName(names[at], at, { isOnly })
  }
  for (const column of columnNames) {
    const place = columns[column]
    if (place === undefined) continue
    if (column === "category" && place === noColumn) {
      places[column] = -1
      continue
    }
    places[column] = /^\d+$/.test(place) ? Number(place) - 1 : findName(names, place)
    if (names[places[column]] === undefined) {
      throw new QueryveilError("option-value", `${path}: has no column ${place} (--columns ${column}=${place}).`, {
        file: path,
        flag: "--columns",
      })
    }
  }
  const told = columnNames.filter((column) => places[column] >= 0)
  const shown = Object.fromEntries(told.map((column) => [column, columns[column] ?? placeOf(places[column])]))
  if (neededColumns.some((column) => places[column] < 0)) {
    const examples = await sample()
    throw refuseColumns({
      path,
      unit,
      what: "column",
      columns: names.map((name, at) => ({ name: name.slice(0, 64), example: examples[at], place: placeOf(at) })),
      found: shown,
      rivals: Object.fromEntries(Object.entries(rivals).map(([column, ats]) => [column, ats.map((at) => names[at])])),
    })
  }
  const isSaid = neededColumns.every((column) => columns[column] !== undefined)
  return { places, reading: { columns: shown, found: isSaid ? "named" : "recognised" } }
}

/** The column with a name. An exact match is preferred to one by `plainName`. -1 if none matches, or several do. */
function findName(names: readonly string[], wanted: string): number {
  const exact = names.indexOf(wanted)
  if (exact >= 0) return exact
  const alike = names.flatMap((name, at) => (plainName(name) === plainName(wanted) ? [at] : []))
  return alike.length === 1 && plainName(wanted) !== "" ? alike[0] : -1
}
