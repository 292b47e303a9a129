import { plainName } from "./columns.ts"
import type { LinePlan } from "./parsed-block.ts"

const names = ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"]

/**
 * The layout of the AOL release of 2006: AnonID, Query, QueryTime, ItemRank, ClickURL, separated by tabs. The header is
 * optional, and so are the two columns of the click. Without a header the positions are a guess, unless the caller
 * named this format.
 */
export function planAol(head: Uint8Array, { said }: { said: boolean }): LinePlan {
  const first = firstCells(head)
  const hasHeader = first[0]?.trim().toLowerCase() === "anonid"
  const [user = "", query = "", time = ""] = hasHeader ? names : ["1", "2", "3"]
  return {
    format: "aol",
    delimiter: 9,
    columns: { user: 0, query: 1, time: 2, rank: 3, url: 4 },
    minFields: 3,
    maxFields: 5,
    headerLines: hasHeader ? 1 : 0,
    reading: {
      format: "aol",
      columns: { user, query, time },
      found: hasHeader || said ? "known" : "guessed",
    },
  }
}

function firstCells(head: Uint8Array): string[] {
  const line =
    Buffer.from(head.subarray(0, 256))
      .toString("utf8")
      .split(/[\r\n]/, 1)[0] ?? ""
  return line.split("\t")
}

/** True if a file begins with AOL's header. If it has other columns, the file is read by the names in its header. */
export function hasAolHeader(head: Uint8Array): boolean {
  const first = firstCells(head).map(plainName)
  const isPrefix = first.every((name, at) => name === plainName(names[at] ?? "?"))
  return first.length >= 3 && isPrefix
}

const aolRow = /^[^\t]*\t[^\t]*\t *\d{4}-\d\d-\d\d \d\d:\d\d:\d\d *(\t[^\t]*){0,2}\s*$/

/** True if one of the first lines of a file has a user, a query and a time as AOL writes them. */
export function hasAolRows(head: Uint8Array): boolean {
  const lines = Buffer.from(head.subarray(0, 1 << 16))
    .toString("latin1")
    .split("\n", 200)
  return lines.some((line) => aolRow.test(line))
}
