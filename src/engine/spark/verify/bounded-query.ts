import type { SecondOrder } from "../../../verify/dp-counts.ts"

interface KeysOptions {
  table: string
  sessionGap?: unknown
  repeats?: unknown
  /** The order of searches of one second. */
  within: SecondOrder
}

/**
 * A query of the bounded counts of all keys of one table (`a`, `b`, `users`, `total`, `unsure`), in window functions.
 * It says again what docs/methods/counts.md says, and shares nothing with the kernel that bounds users for a release.
 */
export function boundedQuery(rows: string, bound: KeysOptions & { l0: number; perKey: number }): string {
  const { l0, perKey } = bound
  const own = `SELECT u, a, b, min(place) AS place, count(*) AS times FROM (${keysQuery(rows, bound)}) GROUP BY u, a, b`
  const counted = "row_number() OVER (PARTITION BY u ORDER BY place)"
  const ranked = `SELECT *, ${counted} AS number, count(*) OVER (PARTITION BY u) AS keys FROM (${own})`
  const [isCounted, adds] = [`number <= ${l0}`, `least(times, ${perKey})`]
  const counts = `count_if(${isCounted}) AS users, sum(IF(${isCounted}, ${adds}, 0)) AS total`
  return `SELECT a, b, ${counts}, max(keys > ${l0}) AS unsure FROM (${ranked}) GROUP BY a, b`
}

/** The keys of all users as they occur: user, key, and place among the keys of the user (`u`, `a`, `b`, `place`). */
function keysQuery(rows: string, { table, sessionGap, repeats, within }: KeysOptions): string {
  const place = (order: string) => `row_number() OVER (PARTITION BY u ORDER BY ${order})`
  const byLine = within === "line"
  if (table === "clicks") {
    const numbered = `SELECT *, min(i) OVER (PARTITION BY u, q, t) AS line FROM ${rows}`
    const order = byLine ? "t, line, q, coalesce(r, 65535), i" : "t, q, coalesce(r, 65535), l"
    return `SELECT u, q AS a, l AS b, ${place(order)} AS place FROM (${numbered}) WHERE l IS NOT NULL`
  }
  const distinct = `SELECT u, q, t, min(i) AS line FROM ${rows} GROUP BY u, q, t`
  const searches = `SELECT u, q, t, ${place(byLine ? "t, line, q" : "t, q")} AS place FROM (${distinct})`
  if (table === "queries") return `SELECT u, q AS a, '' AS b, place FROM (${searches})`
  const before = (column: string) => `lag(${column}) OVER (PARTITION BY u ORDER BY place)`
  const pairs = `SELECT u, q AS b, t, place, ${before("q")} AS a, ${before("t")} AS earlier FROM (${searches})`
  const rules = [
    "a IS NOT NULL",
    ...(sessionGap === undefined ? [] : [`t - earlier <= ${Number(sessionGap) * 60}`]),
    ...(repeats === "keep" ? [] : ["a <> b"]),
  ]
  return `SELECT u, a, b, place FROM (${pairs}) WHERE ${rules.join(" AND ")}`
}
