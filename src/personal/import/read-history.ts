import { open, readFile } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import type { PersonalDocument } from "../detect-topic.ts"
import { isObject } from "../engines/searxng.ts"
import { fileError } from "../file-error.ts"
import { isCalendarTime } from "../interests.ts"
import { parseDocuments } from "../read-documents.ts"
import { readBrowserDatabase } from "./browser-sqlite.ts"
import { csvRows } from "./csv-rows.ts"
import { documentOfVisit, queryOfUrl, timeOf } from "./history-row.ts"

const mostBytes = 512 << 20

/** Maximum size in bytes of a history that a browser uploads. */
export const mostUploaded = 128 << 20

/** Name in errors of a file that a browser uploaded. The file's own name is not sent. */
const uploaded = "Your file"

const isDatabase = (start: Buffer) => start.toString("latin1", 0, 15) === "SQLite format 3"

/**
 * Reads a person's searches and pages from exports of browsers and Google. The start of the file decides its format:
 * Google Takeout (My Activity as JSON, or Chrome's history), a copy of a browser's SQLite history, a CSV with a header
 * (url, title, time), or lines of JSON as `personal learn --pages` reads them. Errors name the file and the line, never
 * their content.
 */
export async function readHistory(path: string): Promise<PersonalDocument[]> {
  const start = await beginningOf(path)
  if (isDatabase(start)) return readBrowserDatabase({ path, name: path })
  return parseHistory(await readFile(path, "utf8"), path)
}

/** The same for bytes that a browser uploaded. */
export async function readUploadedHistory(bytes: Buffer): Promise<PersonalDocument[]> {
  if (isDatabase(bytes)) return readBrowserDatabase({ bytes, name: uploaded })
  return parseHistory(bytes.toString("utf8"), uploaded)
}

function parseHistory(content: string, file: string): PersonalDocument[] {
  const text = content.replace(/^\ufeff/, "")
  const start = text.slice(0, 256).trimStart()
  if (start === "") throw new QueryveilError("input-empty", `${file}: is empty.`, { file })
  if (start.startsWith("[") || /^\{\s*"Browser History"/.test(start)) return parseTakeout(text, file)
  return start.startsWith("{") ? parseDocuments(text, file) : parseCsv(text, file)
}

async function beginningOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, "r")
    try {
      const { size } = await file.stat()
      if (size > mostBytes)
        throw new QueryveilError("input-size", `${path}: is over ${mostBytes >> 20} MB. Import it in parts.`, {
          file: path,
        })
      return (await file.read(Buffer.alloc(256), 0, 256, 0)).buffer
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : fileError(path, cause)
  }
}

/**
 * My Activity is a list of `{title, titleUrl, time}`. Chrome's history is
 * `{"Browser History": [{title, url, time_usec}]}`.
 */
function parseTakeout(text: string, file: string): PersonalDocument[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new QueryveilError("input-rows", `${file}: is not complete JSON. Export it again.`, { file })
  }
  const list = isObject(value) ? value["Browser History"] : value
  if (!Array.isArray(list)) throw noHistory(file)
  return found(file, list.filter(isObject).flatMap(documentOfActivity))
}

function documentOfActivity(entry: Record<string, unknown>): PersonalDocument[] {
  const time = timeOf(entry.time ?? entry.time_usec)
  const url = String(entry.titleUrl ?? entry.url ?? "")
  const title = String(entry.title ?? "")
  // Titles say in the person's language that something was searched or visited. The address is the same in all
  // languages.
  const query = queryOfUrl(url) ?? /^Searched for (.+)$/s.exec(title)?.[1]
  if (query !== undefined && isCalendarTime(time)) return [{ query, text: query, time: Math.floor(time) }]
  // Visits from a search come as google.com/url?q=ADDRESS.
  const target = URL.canParse(url) ? (new URL(url).searchParams.get("q") ?? url) : url
  const visit = { url: /^https?:/.test(target) ? target : url, title: title.replace(/^Visited /, ""), time }
  const document = documentOfVisit(visit)
  return document === undefined ? [] : [document]
}

const columnNames = {
  url: /^(url|address|link|page_?url)$/i,
  title: /^(title|page_?title|name)$/i,
  time: /^(time|date|date_?time|timestamp|time_?usec|(last_?)?visit_?(time|date)|visited(_?on|_?at)?)$/i,
}

function parseCsv(text: string, file: string): PersonalDocument[] {
  const first = text.slice(0, text.indexOf("\n") >>> 0)
  const separator = ["\t", ";", ","].find((mark) => first.includes(mark)) ?? ","
  const rows = csvRows(text, separator)
  const header: string[] = rows.next().value ?? []
  const at = (pattern: RegExp) => header.findIndex((name) => pattern.test(name.trim()))
  const [url, title, time] = [at(columnNames.url), at(columnNames.title), at(columnNames.time)]
  if (url < 0 || time < 0) throw noHistory(file)
  const documents: PersonalDocument[] = []
  for (const row of rows) {
    const document = documentOfVisit({ url: row[url] ?? "", title: row[title] ?? "", time: timeOf(row[time]) })
    if (document !== undefined) documents.push(document)
  }
  return found(file, documents)
}

function found(file: string, documents: PersonalDocument[]): PersonalDocument[] {
  if (documents.length === 0) throw noHistory(file)
  return documents
}

function noHistory(file: string): QueryveilError {
  return new QueryveilError(
    "input-rows",
    [
      `${file}: no searches or pages were found.`,
      "Give Google Takeout's MyActivity.json, a CSV with a header url,title,time, or a copy of a browser's history.",
    ].join(" "),
    { file },
  )
}
