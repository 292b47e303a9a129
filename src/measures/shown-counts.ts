import { Type } from "#typebox"
import type { ColumnTable } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"
import { countQueries } from "../log/statistics.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { TablesProbe } from "../probes/probe.ts"
import { type Finding, labelAlone } from "../probes/score.ts"
import { quantile } from "./quantile.ts"

const options = Type.Object({})

/**
 * What tables of counts still show of the log: the shares of its distinct queries, events and clicks whose key is
 * shown. Also measures how far the counts of queries are from the number of users who issued them, relative to that
 * number. This error combines noise and bound.
 */
export const shownCounts: TablesProbe<typeof options> = {
  name: "shown-counts",
  looksAt: "tables",
  summary: "for tables of counts: share of queries, events and clicks that are shown, and how far counts are off",
  options,
  label: labelAlone,
  applies: ({ release }) => traitsOf(release.manifest.guarantee).shows === "counts" || "the release has no counts",
  async run({ release, log }, _options, context) {
    const tables = await release.tables(context)
    const share = (score: string, part: number, n: number): Finding => {
      return { score, value: n === 0 ? 0 : part / n, n, baseline: 1, better: "higher" }
    }
    const { events, users } = countQueries(log)
    const shown = readQueries(tables.queries, log)
    let [kept, held] = [0, 0]
    for (const query of shown.keys()) {
      kept += events[query]
      held++
    }
    const all = users.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
    const errors = Float64Array.from(shown, ([query, count]) => Math.abs(count - users[query]) / users[query]).sort()
    const error = errors.length === 0 ? [] : [errorScore(errors)]
    const scores = [share("queries-shown", held, all), share("events-shown", kept, log.events), ...error]
    const clicks = tables.clicks === undefined ? [] : [countClicks(tables.clicks, log)]
    return [...scores, ...clicks.map(([part, n]) => share("clicks-shown", part, n))]
  },
}

function errorScore(errors: Float64Array): Finding {
  const about = { score: "count-error", at: { percent: 50 } }
  return { ...about, value: quantile(errors, 0.5), n: errors.length, baseline: 0, better: "lower" }
}

/** Noisy counts by query of the log. A query that the log does not have, or that nobody issued, comes from a pool. */
function readQueries({ rows, columns }: ColumnTable, log: SearchLog): Map<number, number> {
  const [query, count] = columns
  const shown = new Map<number, number>()
  if (!("ids" in query) || !("values" in count)) return shown
  const issued = new Uint8Array(log.queries.size)
  for (let row = 0; row < log.rows; row++) issued[log.query[row]] = 1
  for (let row = 0; row < rows; row++) {
    const found = log.queries.findBytes(query.texts.bytes(query.ids[row]))
    if (found >= 0 && issued[found] === 1) shown.set(found, count.values[row])
  }
  return shown
}

/** The number of clicks of the log on shown pairs, and of all clicks. */
function countClicks({ rows, columns }: ColumnTable, log: SearchLog): [number, number] {
  const [query, url] = columns
  const shown = new Set<number>()
  if ("ids" in query && "ids" in url) {
    for (let row = 0; row < rows; row++) {
      const first = log.queries.findBytes(query.texts.bytes(query.ids[row]))
      const second = log.urls.findBytes(url.texts.bytes(url.ids[row]))
      if (first >= 0 && second >= 0) shown.add(first * log.urls.size + second)
    }
  }
  let [part, all] = [0, 0]
  for (let row = 0; row < log.rows; row++) {
    if (log.url[row] < 0) continue
    all++
    if (shown.has(log.query[row] * log.urls.size + log.url[row])) part++
  }
  return [part, all]
}
