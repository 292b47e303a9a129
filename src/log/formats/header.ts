import { isTimeText } from "../../kernels/civil-time.ts"
import { meaningOfName, plainName } from "./columns.ts"

/**
 * What the first line of a table is:
 *
 * - `named`: a header whose names may be shown;
 * - `unnamed`: not a row, but nothing proves that its cells are names, so they are treated as text of the log;
 * - `none`: a row.
 */
export type HeaderKind = "named" | "unnamed" | "none"

const nameShape = /^[\p{L}_$#@][\p{L}\p{M}\p{N}_ .:\-/()[\]$#%]*$/u
const longestName = 64
const mostWords = 4

/** True if a cell could be the name of a column: few words, not a number, not an address. */
export function isNameLike(cell: string): boolean {
  const name = unquoteName(cell)
  return name.length <= longestName && nameShape.test(name) && name.split(/\s+/).length <= mostWords
}

/** Removes quotes around a name. Names in tab-separated headers may have them. */
export const unquoteName = (cell: string) =>
  cell
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .trim()

const isNumber = (cell: string) => /^[-+]?[\d.,]+$/.test(cell)
const isValue = (cell: string) => isNumber(cell) || isTimeText(cell)

const knownNames = (cells: readonly string[]) =>
  new Set(cells.filter((cell) => meaningOfName(cell) !== undefined).map(plainName))

/** The names of a header that may be shown. If only one name is a known one, the others may be text of the log. */
export function namesToShow(header: readonly string[], kind: HeaderKind): (string | undefined)[] {
  const sure = knownNames(header).size >= 2
  return header.map((cell) => {
    const isShown = kind === "named" && (sure ? isNameLike(cell) : meaningOfName(cell) !== undefined)
    return isShown ? unquoteName(cell) : undefined
  })
}

/**
 * Distinguishes a header from a row. A line with a time is always a row. A line with two known column names is a
 * header. A line with one is a header if some column has a name at the top and only numbers or times below. Any other
 * line without a number above such a column is not a row either. It may be a header with unknown names or a broken row,
 * so its cells are not shown.
 */
export function tellHeader([first = [], ...rows]: readonly (readonly string[])[]): HeaderKind {
  const filled = first.filter((cell) => cell !== "")
  if (first.length < 2 || filled.some(isTimeText)) return "none"
  const known = knownNames(first)
  if (known.size >= 2) return "named"
  if (filled.some(isNumber)) return "none"
  if (rows.length === 0) return known.size === 1 ? "named" : "none"
  const differs = first.some((cell, column) => {
    const below = rows.map((row) => row[column] ?? "").filter((other) => other !== "")
    return cell !== "" && below.length > 0 && below.every(isValue)
  })
  if (!differs) return "none"
  const areNames = filled.every(isNameLike) && new Set(filled.map(plainName)).size === filled.length
  return known.size === 1 && areNames ? "named" : "unnamed"
}
