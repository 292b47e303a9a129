import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnChoice, meaningOfName, neededColumns } from "./columns.ts"
import { maskText } from "./mask-text.ts"

/** A column of a file whose columns could not all be recognised. */
interface FoundColumn {
  /** Undefined if the name may be text of the log and must not be shown. */
  name: string | undefined
  /** A value of the column. It is masked before it is shown. */
  example: string | undefined
  /** As `--columns` accepts it; undefined if it cannot be written there. */
  place: string | undefined
}

export interface ColumnRefusal {
  path: string
  unit: Unit
  /** The word for a column in this format. */
  what: "column" | "member"
  columns: readonly FoundColumn[]
  /** The columns that were named or recognised, as `--columns` accepts them. */
  found: ColumnChoice
  /** Names that mean the same column. */
  rivals: Partial<Record<"user" | "query" | "time", readonly string[]>>
}

const mostListed = 12

/**
 * The error for a file whose columns cannot be recognised. Lists the columns found, with masked examples, and the flag
 * that names them.
 */
export function refuseColumns(refusal: ColumnRefusal): QueryveilError {
  const { path, what, columns, found } = refusal
  const listed = columns.slice(0, mostListed).map(listColumn)
  const more = columns.length - listed.length
  const list = `${listed.join(", ")}${more > 0 ? `, and ${more} more` : ""}`
  const lines = [
    `${path}: ${sayMissing(refusal)} The ${what}s, with masked examples: ${list}.`,
    `Name them: ${columnsFlag(found, what)}`,
    ...otherUnit(refusal),
  ]
  return new QueryveilError("input-columns", lines.join("\n"), { file: path, flag: "--columns" })
}

function listColumn({ name, example }: FoundColumn, at: number): string {
  const mask = example === undefined ? "" : maskText(example)
  return `${name ?? at + 1} (${mask === "" ? "empty" : mask})`
}

function sayMissing({ unit, what, columns, found, rivals }: ColumnRefusal): string {
  const said = { user: `a ${unit}`, query: "a query", time: "a time" }
  const rivalling = neededColumns.filter((name) => rivals[name] !== undefined && found[name] === undefined)
  const missing = neededColumns.filter((name) => found[name] === undefined && !rivalling.includes(name))
  const both = rivalling.map(
    (name) => `more than one ${what} has a name that means ${said[name]}: ${(rivals[name] ?? []).join(", ")}.`,
  )
  const list = missing.map((name) => said[name]).join(" or ")
  const none = columns.every(({ name }) => name === undefined)
    ? `which ${what} is ${list.replaceAll(/\ba /g, "the ").replaceAll(" or ", " and which ")} cannot be determined.`
    : `no ${what} has a name that means ${list}.`
  return [...both, ...(missing.length > 0 ? [none] : [])].join(" ")
}

/** Example: `--columns user=visitor,query=phrase,time=COLUMN`. */
function columnsFlag(found: ColumnChoice, what: ColumnRefusal["what"]): string {
  const blank = what === "column" ? "COLUMN" : "PATH"
  const value = neededColumns.map((name) => `${name}=${found[name] ?? blank}`).join(",")
  const words = /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`
  return `--columns ${words}`
}

/** The flags that read the log by the other unit, if it has a column for that. */
function otherUnit({ unit, what, columns, found }: ColumnRefusal): string[] {
  if (found.user !== undefined) return []
  if (unit === "session") return ["Or leave out --unit session, and count users."]
  const session = columns.find(({ name }) => meaningOfName(name ?? "") === "session")
  if (session?.place === undefined) return []
  const flag = columnsFlag({ ...found, user: session.place }, what)
  return [`Or count sessions by ${session.name}, which promises less: --unit session ${flag}`]
}

/**
 * A header name as `--columns` accepts it. Gives the position instead if the name is ambiguous or has special
 * characters.
 */
export function placeOfName(name: string, at: number, { isOnly }: { isOnly: boolean }): string {
  const plain = /^[\p{L}\p{N}_.@$ -]+$/u.test(name) && !/^\d+$/.test(name)
  return plain && isOnly ? name : String(at + 1)
}
