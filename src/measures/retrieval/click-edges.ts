import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import type { WeightedEdges } from "../../kernels/retrieval/click-graph.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Table } from "../../methods/table.ts"
import { sessionGapSeconds } from "../../release/column-policy.ts"

/** What a retrieval algorithm learns from: from queries to clicked urls, and from queries to those issued next. */
export interface ClickEdges {
  queries: Dictionary
  urls: Dictionary
  clicks: WeightedEdges
  transitions: WeightedEdges
}

/**
 * The edges of rows: one for each click, and one for each two searches of one user that follow each other with at most `gap`
 * seconds between them (30 minutes unless given). Searches follow each other as the rows do, or as `order` says. Rows without a
 * user have no transitions; those of users with a 1 in `leave` have no edges at all.
 */
export function edgesOfRows(
  log: SearchLog,
  options: { gap?: number; order?: Uint32Array; leave?: Uint8Array } = {},
): ClickEdges {
  const { gap = sessionGapSeconds, order, leave } = options
  const { user, query, time, url } = log
  const last = new Int32Array(log.users.size)
  const each = (onClick: (row: number) => void, onTransition: (before: number, row: number) => void) => {
    last.fill(-1)
    for (let i = 0; i < log.rows; i++) {
      const row = order === undefined ? i : order[i]
      const searcher = user[row]
      if (leave !== undefined && searcher >= 0 && leave[searcher] === 1) continue
      if (url[row] >= 0) onClick(row)
      if (searcher < 0) continue
      const before = last[searcher]
      if (before >= 0 && query[before] !== query[row] && time[row] - time[before] <= gap) onTransition(before, row)
      last[searcher] = row
    }
  }
  let [clicked, followed] = [0, 0]
  each(
    () => clicked++,
    () => followed++,
  )
  const clicks = { from: new Int32Array(clicked), to: new Int32Array(clicked) }
  const transitions = { from: new Int32Array(followed), to: new Int32Array(followed) }
  each(
    (row) => {
      clicks.from[--clicked] = query[row]
      clicks.to[clicked] = url[row]
    },
    (before, row) => {
      transitions.from[--followed] = query[before]
      transitions.to[followed] = query[row]
    },
  )
  return { queries: log.queries, urls: log.urls, clicks, transitions }
}

/** The edges of released tables of counts: (query, url, count) and (query, next query, count), the columns in this order. */
export function edgesOfTables(tables: { clicks: Table; transitions: Table }): ClickEdges {
  const texts = (table: Table, column: number) =>
    Array.from({ length: table.rows }, (_, row) => String(table.cell(row, column)))
  const { clicks, transitions } = tables
  const queries = dictionaryOf([...texts(clicks, 0), ...texts(transitions, 0), ...texts(transitions, 1)])
  const urls = dictionaryOf(texts(clicks, 1))
  const edgesOf = (table: Table, targets: Dictionary): WeightedEdges => ({
    from: Int32Array.from(texts(table, 0), (text) => queries.find(text)),
    to: Int32Array.from(texts(table, 1), (text) => targets.find(text)),
    weight: Float64Array.from({ length: table.rows }, (_, row) => Number(table.cell(row, 2))),
  })
  return { queries, urls, clicks: edgesOf(clicks, urls), transitions: edgesOf(transitions, queries) }
}
