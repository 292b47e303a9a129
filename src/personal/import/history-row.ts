import type { PersonalDocument } from "../detect-topic.ts"
import { isCalendarTime } from "../interests.ts"
import { wordsOfUrl } from "../learn.ts"

/** URL parameters in which search engines put the query. */
const queryNames = ["q", "query", "p", "text", "search_query", "wd"]
/** Seconds from 1601-01-01, the start of Chrome's clock, to 1970-01-01. */
const webkitEpoch = 11_644_473_600

/**
 * The query that a person typed, if the address is that of a search: /search?q=…, /results?search_query=… and the like.
 */
export function queryOfUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { pathname, searchParams } = new URL(address)
  if (!/^\/?$|\/(search|results|find|web|s|html)\b/i.test(pathname)) return undefined
  for (const name of queryNames) {
    const value = searchParams.get(name)?.trim()
    if (value !== undefined && value !== "") return value
  }
  return undefined
}

/**
 * A visit as a document: the query of a search, or the title and address of a page. Undefined if its address is not
 * http(s) or its time is not valid.
 */
export function documentOfVisit(visit: { url: string; title: string; time: number }): PersonalDocument | undefined {
  const { url, title } = visit
  const time = Math.floor(visit.time)
  if (!isCalendarTime(time) || !/^https?:/i.test(url)) return undefined
  const query = queryOfUrl(url)
  if (query !== undefined) return { query, text: query, time }
  const text = `${title} ${wordsOfUrl(url)}`.trim()
  return title.trim() === "" ? { text, time } : { query: title, text, time }
}

/**
 * UTC seconds of a date or a number. The size of the number tells its unit: seconds, milliseconds, microseconds
 * (Firefox), or microseconds since 1601 (Chrome). NaN if the value is neither.
 */
export function timeOf(value: unknown): number {
  const text = String(value ?? "").trim()
  if (!/^-?\d+(\.\d+)?$/.test(text))
    return Date.parse(/\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text) ? `${text}Z` : text) / 1000
  const number = Number(text)
  if (number > 1e16) return number / 1e6 - webkitEpoch
  if (number > 1e14) return number / 1e6
  return number > 1e11 ? number / 1000 : number
}
