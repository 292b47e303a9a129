import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnChoice, meaningOfName, neededColumns } from "./columns.ts"
import { maskText } from "./mask-text.ts"

/** A column of a file whose columns cannot all be told. */
interface FoundColumn {
  /** Undefined: what it is called may be text of the log, and is not shown. */
  name: string | undefined
  /** Something that stands in it; it is masked before it is shown. */
  example: string | undefined
  /** As `--columns` takes it; undefined where it cannot be written there. */
  place: string | undefined
}

export interface ColumnRefusal {
  path: string
  unit: Unit
  /** What a column is called in this format. */
  what: "column" | "member"
  columns: readonly FoundColumn[]
  /** The columns that were said or recognised, as `--columns` takes them. */
  found: ColumnChoice
  /** Names that mean the same column. */
  rivals: Partial<Record<"user" | "query" | "time", readonly string[]>>
}

const mostListed = 12

/** Refuses a file whose columns cannot be told: lists what was found, masked, and the flag that says which is which. */
export function refuseColumns(refusal: ColumnRefusal): QueryveilError {
  const { path, what, columns, found } = refusal
  const listed = columns.slice(0, mostListed).map(listColumn)
  const more = columns.length - listed.length
  const list = `${listed.join(", ")}${more > 0 ? `, and ${more} more` : ""}`
  const lines = [
    `${path}: ${sayMissing(refusal)} The ${what}s, with masked examples: ${list}.`,
    `Say which they are: ${columnsFlag(found, what)}`,
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
    ? `which ${what} is ${list.replaceAll(/\ba /g, "the ").replaceAll(" or ", " and which ")} cannot be told.`
    : `no ${what} has a name that means ${list}.`
  return [...both, ...(missing.length > 0 ? [none] : [])].join(" ")
}

/** `--columns user=visitor,query=phrase,time=NAME` */
function columnsFlag(found: ColumnChoice, what: ColumnRefusal["what"]): string {
  const blank = what === "column" ? "COLUMN" : "PATH"
  const value = neededColumns.map((name) => `${name}=${found[name] ?? blank}`).join(",")
  const words = /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`
  return `--columns ${words}`
}

/** A log that names the other unit can be read by it: the flags that do. */
function otherUnit({ unit, what, columns, found }: ColumnRefusal): string[] {
  if (found.user !== undefined) return []
  if (unit === "session") return ["Or leave out --unit session, and count users."]
  const session = columns.find(({ name }) => meaningOfName(name ?? "") === "session")
  if (session?.place === undefined) return []
  const flag = columnsFlag({ ...found, user: session.place }, what)
  return [`Or count sessions by ${session.name}, which promises less: --unit session ${flag}`]
}

/** A header's name as `--columns` takes it; by its position where the name says too little or has signs of its own. */
export function placeOfName(name: string, at: number, { isOnly }: { isOnly: boolean }): string {
  const plain = /^[\p{L}\p{N}_.@$ -]+$/u.test(name) && !/^\d+$/.test(name)
  return plain && isOnly ? name : String(at + 1)
}
