import { open, readFile } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import type { PersonalDocument } from "../detect-topic.ts"
import { isObject } from "../engines/searxng.ts"
import { fileError } from "../file-error.ts"
import { isCalendarTime } from "../interests.ts"
import { readDocuments } from "../read-documents.ts"
import { readBrowserDatabase } from "./browser-sqlite.ts"
import { csvRows } from "./csv-rows.ts"
import { documentOfVisit, queryOfUrl, timeOf } from "./history-row.ts"

const mostBytes = 512 << 20

/**
 * Searches and pages of a person from what browsers and Google give out, told apart by what the file begins with: Google Takeout
 * (My Activity as JSON, or Chrome's history), a copy of a browser's SQLite history, a CSV with a header (url, title, time), or
 * lines of JSON as `personal learn --pages` reads them. Errors name the file and the line, never what stands there.
 */
export async function readHistory(path: string): Promise<PersonalDocument[]> {
  const start = await beginningOf(path)
  if (start.startsWith("SQLite format 3")) return readBrowserDatabase(path)
  const text = start.trimStart()
  if (text === "") throw new QueryveilError("input-empty", `${path}: is empty.`, { file: path })
  if (text.startsWith("[")) return readTakeout(path)
  if (/^\{\s*"Browser History"/.test(text)) return readTakeout(path)
  if (text.startsWith("{")) return readDocuments(path)
  return readCsv(path)
}

async function beginningOf(path: string): Promise<string> {
  try {
    const file = await open(path, "r")
    try {
      const { size } = await file.stat()
      if (size > mostBytes)
        throw new QueryveilError("input-size", `${path}: is over ${mostBytes >> 20} MB. Import it in parts.`, {
          file: path,
        })
      const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
      return buffer.toString("utf8", 0, bytesRead).replace(/^\ufeff/, "")
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : fileError(path, cause)
  }
}

/** My Activity is a list of `{title, titleUrl, time}`; Chrome's history is `{"Browser History": [{title, url, time_usec}]}`. */
async function readTakeout(path: string): Promise<PersonalDocument[]> {
  let value: unknown
  try {
    value = JSON.parse((await readFile(path, "utf8")).replace(/^\ufeff/, ""))
  } catch {
    throw new QueryveilError("input-rows", `${path}: is no whole JSON. Export it again.`, { file: path })
  }
  const list = isObject(value) ? value["Browser History"] : value
  if (!Array.isArray(list)) throw noHistory(path)
  return found(path, list.filter(isObject).flatMap(documentOfActivity))
}

function documentOfActivity(entry: Record<string, unknown>): PersonalDocument[] {
  const time = timeOf(entry.time ?? entry.time_usec)
  const url = String(entry.titleUrl ?? entry.url ?? "")
  const title = String(entry.title ?? "")
  // Titles say in the person's language that something was searched or visited: the address says it in all of them.
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
  time: /^(time|visit_?time|last_?visit_?time|visit_?date|last_?visit_?date|date|datetime|date_?time|timestamp|visited(_?on|_?at)?|time_?usec)$/i,
}

async function readCsv(path: string): Promise<PersonalDocument[]> {
  const text = (await readFile(path, "utf8")).replace(/^\ufeff/, "")
  const first = text.slice(0, text.indexOf("\n") >>> 0)
  const separator = ["\t", ";", ","].find((mark) => first.includes(mark)) ?? ","
  const rows = csvRows(text, separator)
  const header: string[] = rows.next().value ?? []
  const at = (pattern: RegExp) => header.findIndex((name) => pattern.test(name.trim()))
  const [url, title, time] = [at(columnNames.url), at(columnNames.title), at(columnNames.time)]
  if (url < 0 || time < 0) throw noHistory(path)
  const documents: PersonalDocument[] = []
  for (const row of rows) {
    const document = documentOfVisit({ url: row[url] ?? "", title: row[title] ?? "", time: timeOf(row[time]) })
    if (document !== undefined) documents.push(document)
  }
  return found(path, documents)
}

function found(path: string, documents: PersonalDocument[]): PersonalDocument[] {
  if (documents.length === 0) throw noHistory(path)
  return documents
}

function noHistory(path: string): QueryveilError {
  return new QueryveilError(
    "input-rows",
    `${path}: no searches or pages were found. Give Google Takeout's MyActivity.json, a CSV with a header url,title,time, or a copy of a browser's history.`,
    { file: path },
  )
}
