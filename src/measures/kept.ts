import { Type } from "typebox"
import type { SearchLog } from "../log/search-log.ts"
import { hasQueries, type Probe } from "../release/probe.ts"

const options = Type.Object({})

/** Events and rows of each query of a log. */
function countByQuery(log: SearchLog) {
  const rows = new Uint32Array(log.queries.size)
  const events = new Uint32Array(log.queries.size)
  for (let row = 0; row < log.rows; row++) {
    rows[log.query[row]]++
    if (row === 0 || log.event[row] !== log.event[row - 1]) events[log.query[row]]++
  }
  return { rows, events }
}

/**
 * Share of the log's events that the release still holds. Cut times and session names merge events for whoever reads
 * the release, so they are counted through rows: a text with r of its R rows released keeps r/R of its events, which is
 * exact for methods that keep or leave whole queries.
 */
export const eventsKept: Probe<typeof options> = {
  name: "events-kept",
  summary: "share of events whose query is in the release",
  options,
  applies: hasQueries,
  async run({ release, log }, _options, context) {
    const released = await release.log(context)
    const rows = new Uint32Array(released.queries.size)
    for (const query of released.query) rows[query]++
    const original = countByQuery(log)
    let kept = 0
    for (let query = 0; query < released.queries.size; query++) {
      const found = log.queries.findBytes(released.queries.bytes(query))
      if (found >= 0) kept += original.events[found] * Math.min(1, rows[query] / original.rows[found])
    }
    return [{ name: "events-kept", value: kept / log.events, n: log.events, baseline: 1, better: "higher" }]
  },
}

/** Share of the log's distinct query texts that are in the release. */
export const queriesKept: Probe<typeof options> = {
  name: "queries-kept",
  summary: "share of distinct queries that are in the release",
  options,
  applies: hasQueries,
  async run({ release, log }, _options, context) {
    const released = await release.log(context)
    let kept = 0
    for (let query = 0; query < released.queries.size; query++) {
      if (log.queries.findBytes(released.queries.bytes(query)) >= 0) kept++
    }
    return [
      { name: "queries-kept", value: kept / log.queries.size, n: log.queries.size, baseline: 1, better: "higher" },
    ]
  },
}
