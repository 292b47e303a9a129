import { QueryveilError } from "../../kernels/error.ts"

/** The columns that a log can have, by the names that `columns` gives them. */
export const columnNames = ["user", "query", "time", "rank", "url"] as const
/** One of `columnNames`. */
export type ColumnName = (typeof columnNames)[number]

/** Where a column is: a header name, or a position from 1. */
export type ColumnChoice = Partial<Record<ColumnName, string>>

/** Reads `user=uid,query=q,time=3`. */
export function parseColumns(text: string): ColumnChoice {
  const choice: ColumnChoice = {}
  for (const part of text.split(",")) {
    const [name = "", ...rest] = part.split("=")
    const known = columnNames.find((candidate) => candidate === name.trim())
    const place = rest.join("=").trim()
    if (known === undefined || place === "") {
      throw new QueryveilError(
        "option-value",
        `--columns: "${part.trim()}" is not NAME=COLUMN with NAME one of ${columnNames.join(", ")}, for example user=1,query=3,time=2.`,
        { flag: "--columns" },
      )
    }
    choice[known] = place
  }
  return choice
}

/** Header names that are understood without being told, lower case, letters and digits only. */
const synonyms: Record<ColumnName, readonly string[]> = {
  user: ["anonid", "user", "userid", "uid", "clientid", "visitorid", "cookie", "cookieid", "userpseudoid", "member"],
  query: [
    "query",
    "q",
    "querytext",
    "userquery",
    "searchterm",
    "searchterms",
    "searchquery",
    "keyword",
    "keywords",
    "terms",
  ],
  time: ["querytime", "time", "timestamp", "datetime", "date", "eventtime", "ts", "eventtimestamp", "searchtime"],
  rank: ["itemrank", "rank", "position", "pos", "clickrank", "clickposition"],
  url: ["clickurl", "url", "clickedurl", "link", "document", "docid", "clickeddocument", "resulturl"],
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "")

/** The columns that a header names; -1 where it names none. */
export function columnsOfHeader(header: readonly string[]): Record<ColumnName, number> {
  const names = header.map(plain)
  const find = (column: ColumnName) => {
    for (const synonym of synonyms[column]) {
      const at = names.indexOf(synonym)
      if (at >= 0) return at
    }
    return -1
  }
  return { user: find("user"), query: find("query"), time: find("time"), rank: find("rank"), url: find("url") }
}
