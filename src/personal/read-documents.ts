import { readFile } from "node:fs/promises"
import { Type, Value } from "#typebox"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { PersonalDocument } from "./detect-topic.ts"
import { isCalendarTime } from "./interests.ts"
import { wordsOfUrl } from "./learn.ts"

const text = Type.Optional(Type.String())
const pageLine = Type.Object({
  time: Type.Union([Type.Number(), Type.String()]),
  query: text,
  title: text,
  url: text,
  text,
})

/** A date with a time of day and no zone. It is read as UTC, not in the machine's zone, because days are UTC days. */
const withoutZone = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/

/**
 * Reads pages and searches that a person imports: lines of JSON, each with a `time` (a date or UTC seconds) and at
 * least one of `query`, `title`, `url`, `text`. Errors name the line, never its content.
 */
export async function readDocuments(path: string): Promise<PersonalDocument[]> {
  const content = await readFile(path, "utf8").catch((cause: unknown) => {
    const code = systemCode(cause)
    const isMissing = code === "ENOENT"
    throw new QueryveilError(
      isMissing ? "input-missing" : "input-unreadable",
      `${path}: ${isMissing ? "there is no such file" : `cannot be read (${code})`}. Check the path.`,
      { file: path, cause },
    )
  })
  return parseDocuments(content, path)
}

/** The same for a text. Errors call it `file`. */
export function parseDocuments(content: string, file: string): PersonalDocument[] {
  return content.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [documentOf(line, file, i + 1)]))
}

function documentOf(line: string, file: string, number: number): PersonalDocument {
  const wrong = (what: string) =>
    new QueryveilError("input-rows", `${file}, line ${number}: ${what}`, { file, line: number })
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw wrong("is not JSON.")
  }
  if (!Value.Check(pageLine, value)) throw wrong("expected an object with time, and query, title, url or text.")
  const time =
    typeof value.time === "number" ? value.time : Date.parse(value.time.replace(withoutZone, "$1T$2Z")) / 1000
  if (!isCalendarTime(time))
    throw wrong("its time must be a date between the years 1970 and 9999; numbers are seconds.")
  const { query, title, url } = value
  const parts = [query, title, url === undefined ? undefined : wordsOfUrl(url), value.text]
  const words = parts.filter((part) => part !== undefined && part !== "").join(" ")
  if (words === "") throw wrong("has neither query nor title, url or text.")
  const asked = query ?? title
  return { text: words, time: Math.floor(time), ...(asked !== undefined && asked !== "" && { query: asked }) }
}
