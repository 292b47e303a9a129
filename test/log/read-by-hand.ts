import { Buffer, isUtf8 } from "node:buffer"
import { normaliseQuery } from "#dist/text/normalise.js"
import type { PlainLog, PlainRow } from "./plain-log.ts"

/** Bytes as a string of one character each, so that text that is not UTF-8 can be split too. */
const bytesOf = (field: string) => Buffer.from(field, "latin1")
const trim = (field: string) => field.replace(/^[\0- ]+|[\0- ]+$/g, "")
const textOf = (field: string) => bytesOf(field.replace(/[\0- ]/g, " ")).toString()

function readTime(field: string): number {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(field)) return Number.NaN
  const seconds = Date.parse(`${field.replace(" ", "T")}Z`) / 1000
  const again = Number.isNaN(seconds) ? "" : new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")
  return again === field && seconds === (seconds | 0) ? seconds : Number.NaN
}

const wordsOf = (line: string) => normaliseQuery(bytesOf(line.split("\t")[1] ?? "").toString())

/** Why a line is not a row; undefined if it is one. */
function reasonOf(line: string): string | undefined {
  const [user = "", query = "", time = "", rank = "", url = ""] = line.split("\t").map(trim)
  const fields = line.split("\t").length
  const reasons = [
    line.length > 2 ** 20 && "length",
    line.includes("\0") && "nul",
    (fields < 3 || fields > 5) && "columns",
    !isUtf8(bytesOf(user)) && "encoding",
    user === "" && "user",
    !isUtf8(bytesOf(query)) && "encoding",
    wordsOf(line) === "" && "query",
    Number.isNaN(readTime(time)) && "time",
    (!/^\d*$/.test(rank) || Number(rank) >= 65535) && "rank",
    !isUtf8(bytesOf(url)) && "encoding",
  ]
  return reasons.find((reason) => reason !== false)
}

/** The oracle: reads AOL files (unpacked) by splitting strings, and sorts with one comparison. */
export function readByHand(files: readonly Uint8Array[]): PlainLog {
  const rows: (PlainRow & { ids: number[] })[] = []
  const rejects: PlainLog["rejects"] = []
  const ids = { user: new Map<string, number>(), query: new Map<string, number>() }
  const idOf = (of: Map<string, number>, text: string) => of.get(text) ?? of.set(text, of.size).size - 1
  let line = 0
  for (const file of files) {
    const text = Buffer.from(file).toString("latin1").replace(/^ï»¿/, "")
    const lines = text.split("\n")
    if (text === "" || text.endsWith("\n")) lines.pop()
    for (const [i, raw] of lines.entries()) {
      line++
      if (i === 0 && /^[^\t\r]*/.exec(raw)?.[0].trim().toLowerCase() === "anonid") continue
      if (!raw.includes("\t") && trim(raw) === "" && !raw.includes("\0")) continue
      const [user = "", , time = "", rank = "", url = ""] = raw.split("\t").map(trim)
      const words = wordsOf(raw)
      const broken = reasonOf(raw)
      if (broken !== undefined) {
        rejects.push({ line, reason: broken })
        continue
      }
      const row = {
        user: textOf(user),
        query: words,
        time: readTime(time),
        rank: rank === "" ? 65535 : Number(rank),
        line,
      }
      const click = url === "" ? undefined : textOf(url)
      const sortBy = [idOf(ids.user, row.user), row.time, idOf(ids.query, row.query), row.rank, line]
      rows.push({ ...row, url: click, event: 0, ids: sortBy })
    }
  }
  rows.sort((a, b) => a.ids.map((id, i) => id - b.ids[i]).find((difference) => difference !== 0) ?? 0)
  const events = new Map<string, number>()
  return { rows: rows.map(({ ids: by, ...row }) => ({ ...row, event: idOf(events, by.slice(0, 3).join()) })), rejects }
}
