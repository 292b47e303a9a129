import { meaningOfName } from "../../../src/log/formats/columns.ts"
import type { Look, StudioState } from "../answers.ts"
import type { Columns } from "../api.ts"

type Column = Look["columns"][number]
export type Person = NonNullable<StudioState["log"]>["person"]

/** The columns that a person can choose, in the order of the pickers. */
export const pickers = [
  { name: "user", title: "User", says: "who searched", isNeeded: true },
  { name: "query", title: "Query", says: "what they typed", isNeeded: true },
  { name: "time", title: "Time", says: "when they searched", isNeeded: true },
  { name: "rank", title: "Rank", says: "place of the clicked result", isNeeded: false },
  { name: "url", title: "Url", says: "the clicked result", isNeeded: false },
] as const satisfies readonly { name: keyof Columns; title: string; says: string; isNeeded: boolean }[]

/** Formats that can be named instead of the guess. */
export const formats = ["delimited", "jsonl", "parquet", "aol", "ubi", "slowlog", "solr", "matomo", "ga4"] as const

/** The columns that the server guessed, as the pickers start with them. */
export function guessColumns(columns: readonly Column[]): Columns {
  const guessed: Columns = {}
  for (const { name } of pickers) {
    const column = columns.find(({ means }) => means === name)
    if (column !== undefined) guessed[name] = column.place
  }
  return guessed
}

/** What is still missing or wrong in a choice of columns; undefined if nothing is. */
export function columnsProblem(chosen: Columns): string | undefined {
  const missing = pickers.filter(({ name, isNeeded }) => isNeeded && chosen[name] === undefined)
  if (missing.length > 0) return `Choose a column for: ${missing.map(({ title }) => title.toLowerCase()).join(", ")}.`
  const twice = pickers.find(({ name }) =>
    pickers.some((other) => other.name !== name && chosen[name] !== undefined && chosen[other.name] === chosen[name]),
  )
  return twice && `The ${twice.title.toLowerCase()} is the same column as another. Choose one for each.`
}

/** Columns as `--columns` writes them: `user=uid,query=q,time=3`. */
export function parseColumns(text: string): Columns {
  const found: Columns = {}
  for (const part of text.split(",")) {
    const [name = "", ...rest] = part.split("=")
    const picker = pickers.find((one) => one.name === name.trim())
    if (picker !== undefined && rest.length > 0) found[picker.name] = rest.join("=").trim()
  }
  return found
}

const rowNames = /^(?:row|line|record|request|event|search|query|hit|trace)?_?-?(?:id|no|nr|number|uuid|guid)$/i
const sessionNames = /sess|visit(?!or)/i
const deviceNames = /visitor|cookie|device|browser|client|install/i

/** What a name hints at, also if it is not one of the names that are recognised. */
function hintOf(name: string): "person" | "device" | "session" | undefined {
  const meaning = meaningOfName(name)
  if (meaning === "person" || meaning === "device" || meaning === "session") return meaning
  if (meaning !== undefined) return undefined
  return sessionNames.test(name) ? "session" : deviceNames.test(name) ? "device" : undefined
}

/**
 * Reasons to doubt that the column of a name distinguishes people, before the log is read. The reading finds more: it
 * sees whether values repeat.
 */
export function doubtColumn({ name, examples }: Pick<Column, "name" | "examples">, person: Person): string[] {
  const hint = hintOf(name)
  const doubts: [boolean, string][] = [
    [
      hint === "session" && person !== "session",
      "Its name means a session. One person has many sessions, and would count as many people.",
    ],
    [
      hint === "device" && person === "login",
      "Its name means a browser or a device, not a login. A person with two of them would count as two.",
    ],
    [
      (hint === "person" || hint === "device") && person === "session",
      "Its name means people or devices, which last longer than a session.",
    ],
    [rowNames.test(name), "Its name may mean a number of the row. Then each search would count as another person."],
    [
      /^ip(?:_?addr(?:ess)?)?$/i.test(name),
      "Its name means a network address. Many people can share one, and one person can have many.",
    ],
    [/^\d+$/.test(name), "The file has no header, so nothing says what this column is."],
    [examples.length > 0 && examples.every((example) => example === ""), "It is empty in the first rows."],
  ]
  return doubts.flatMap(([isDoubt, says]) => (isDoubt ? [says] : []))
}

/** What exists that a change of the log makes stale, in words. */
export function madeFromLog(state: StudioState): string[] {
  return [
    ...(state.exposure === null ? [] : ["what the log exposes"]),
    ...(state.explore.points === 0 ? [] : ["the compared releases"]),
    ...(state.draft === null ? [] : ["the draft"]),
  ]
}
