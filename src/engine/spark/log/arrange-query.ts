import { sessionGapSeconds } from "../../../methods/name-lifetime.ts"
import type { ColumnPolicy } from "../../../release/column-policy.ts"

/** The view with the key of the random order. It has one row and one column, `secret`. */
export const orderKeyView = "queryveil_order_key"

/**
 * A query of released rows in the order in which they leave, by the column policy: rows under one name are together, in
 * the order of their times, and names are in random order. `kept` has the released rows (`i`, `u`, `q`, `f`, `t`, `r`,
 * `l`), `urls` those urls that enough users clicked. Rows of cells also have their cell and topic (`cell`, `c`). The
 * first row of each name is marked (`first`).
 *
 * The random order is that of a hash under a secret that only this run knows. So a part of the work that Spark does
 * again gives the same order.
 */
export function arrangeQuery({ kept, urls, policy }: { kept: string; urls: string; policy: ColumnPolicy }): string {
  const inTime = "t, f, coalesce(r, 65535), i"
  const of = (groups: string) =>
    `SELECT *, row_number() OVER (PARTITION BY u, name ORDER BY ${inTime}) AS n FROM (${groups})`
  const shown = [
    "n = 1 AS first",
    "q",
    ...(policy.time === "drop" ? [] : ["t"]),
    ...(policy.users === "keep" ? ["u"] : []),
    ...(policy.urls === "drop" ? [] : ["r", policy.urls === "keep" ? "l" : "shown_url AS l"]),
    ...(policy.category ? ["c"] : []),
  ]
  const numbered =
    policy.users === "drop" ? `SELECT *, 1 AS n, 0 AS name FROM ${kept}` : of(groupsOf(kept, { policy, inTime }))
  const withUrls =
    policy.urls === "threshold"
      ? `SELECT a.*, b.l AS shown_url FROM (${numbered}) a LEFT JOIN ${urls} b ON a.l = b.l`
      : numbered
  const group = policy.users === "drop" ? "CAST(i AS STRING)" : "name, ' ', u"
  const hash = `sha2(concat(secret, sha2(concat(secret, ${group}), 256)), 256)`
  const ordered = `SELECT *, substr(${hash}, 1, 32) AS place FROM (${withUrls}) CROSS JOIN ${orderKeyView}`
  return `SELECT ${shown.join(", ")} FROM (${ordered}) ORDER BY place, n`
}

/** The rows with the number of their name (`name`) among the names of their user. */
function groupsOf(kept: string, { policy, inTime }: { policy: ColumnPolicy; inTime: string }): string {
  if (policy.users === "cell") return `SELECT *, cell AS name FROM ${kept}`
  if (policy.users === "day") return `SELECT *, floor(t / 86400) AS name FROM ${kept}`
  if (policy.users !== "session") return `SELECT *, 0 AS name FROM ${kept}`
  const window = `PARTITION BY u ORDER BY ${inTime}`
  const timed = `SELECT *, lag(t) OVER (${window}) AS earlier FROM ${kept}`
  const starts = `IF(earlier IS NULL OR t - earlier > ${sessionGapSeconds}, 1, 0)`
  return `SELECT *, sum(${starts}) OVER (${window} ROWS UNBOUNDED PRECEDING) AS name FROM (${timed})`
}

/**
 * A query of the urls that at least this many users clicked on released rows. If rows are shown under other users, the
 * column `clicker` has the users who really clicked.
 */
export const urlsQuery = (
  kept: string,
  { threshold, clicker }: { threshold: number; clicker: "u" | "clicker" },
): string => `SELECT l FROM ${kept} WHERE l IS NOT NULL GROUP BY l HAVING count(DISTINCT ${clicker}) >= ${threshold}`
