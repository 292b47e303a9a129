import type { LinePlan } from "./parsed-block.ts"

/**
 * The layout of the AOL release of 2006: AnonID, Query, QueryTime, ItemRank, ClickURL, separated by tabs. The header is
 * optional, and so are the two columns of the click.
 */
export function planAol(head: Uint8Array): LinePlan {
  const firstField = Buffer.from(head.subarray(0, 64))
    .toString("latin1")
    .split(/[\t\r\n]/, 1)[0]
  return {
    format: "aol",
    delimiter: 9,
    columns: { user: 0, query: 1, time: 2, rank: 3, url: 4 },
    minFields: 3,
    maxFields: 5,
    headerLines: firstField?.trim().toLowerCase() === "anonid" ? 1 : 0,
  }
}

const aolRow = /^[^\t]*\t[^\t]*\t *\d{4}-\d\d-\d\d \d\d:\d\d:\d\d *(\t[^\t]*){0,2}\s*$/

/** Whether a file's first bytes are those of an AOL log: its header, or among its first lines a user, a query, a time. */
export function isAol(head: Uint8Array): boolean {
  const lines = Buffer.from(head.subarray(0, 1 << 16))
    .toString("latin1")
    .split("\n", 200)
  // With a column more, as classify writes, it is read by the names in its header.
  if (planAol(head).headerLines === 1) return (lines[0]?.split("\t").length ?? 0) <= 5
  return lines.some((line) => aolRow.test(line))
}
