import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import type { WeightedEdges } from "../../kernels/retrieval/walk-graph.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ColumnTable, TableColumn } from "../../methods/table.ts"
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
 * user have no transitions. Rows that are not taken are as if they were not there.
 */
export function edgesOfRows(
  log: SearchLog,
  options: { gap?: number; order?: Uint32Array; takes?: (row: number) => boolean } = {},
): ClickEdges {
  const { gap = sessionGapSeconds, order, takes } = options
  const { user, query, time, url } = log
  const last = new Int32Array(log.users.size).fill(-1)
  // As long as they may become: memory that is not touched is not used.
  const clicks = { from: new Int32Array(log.rows), to: new Int32Array(log.rows) }
  const transitions = { from: new Int32Array(log.rows), to: new Int32Array(log.rows) }
  let [clicked, followed] = [0, 0]
  for (let i = 0; i < log.rows; i++) {
    const row = order === undefined ? i : order[i]
    if (takes !== undefined && !takes(row)) continue
    if (url[row] >= 0) {
      clicks.from[clicked] = query[row]
      clicks.to[clicked++] = url[row]
    }
    const searcher = user[row]
    if (searcher < 0) continue
    const before = last[searcher]
    if (before >= 0 && query[before] !== query[row] && time[row] - time[before] <= gap) {
      transitions.from[followed] = query[before]
      transitions.to[followed++] = query[row]
    }
    last[searcher] = row
  }
  return {
    queries: log.queries,
    urls: log.urls,
    clicks: { from: clicks.from.subarray(0, clicked), to: clicks.to.subarray(0, clicked) },
    transitions: { from: transitions.from.subarray(0, followed), to: transitions.to.subarray(0, followed) },
  }
}

/**
 * Takes what some users of the log put into edges out of them again: each of their clicks and transitions takes 1 from the
 * edge's weight, and an edge that is left with nothing goes. `marked` has a 1 for each of these users. Only their searches with a
 * query of the edges count, so that two follow each other where those between were withheld.
 *
 * It is exact for edges of all rows of some queries. Where they hold less of those users than the log, too much is taken.
 */
export function removerOf(edges: ClickEdges, log: SearchLog): (marked: Uint8Array) => ClickEdges {
  const queryOf = idsIn(edges.queries, log.queries)
  const urlOf = idsIn(edges.urls, log.urls)
  return (marked) => {
    const takes = (row: number) => log.user[row] >= 0 && marked[log.user[row]] === 1 && queryOf[log.query[row]] >= 0
    const theirs = edgesOfRows(log, { takes })
    return {
      ...edges,
      clicks: subtract(edges.clicks, theirs.clicks, { from: queryOf, to: urlOf }),
      transitions: subtract(edges.transitions, theirs.transitions, { from: queryOf, to: queryOf }),
    }
  }
}

/** The id that each text of `own` has in another dictionary, or -1. */
function idsIn(other: Dictionary, own: Dictionary): Int32Array {
  if (other === own) return Int32Array.from({ length: own.size }, (_, id) => id)
  return Int32Array.from({ length: own.size }, (_, id) => other.findBytes(own.bytes(id)))
}

function subtract(
  { from, to, weight }: WeightedEdges,
  taken: WeightedEdges,
  ids: { from: Int32Array; to: Int32Array },
): WeightedEdges {
  const size = from.length + taken.from.length
  const left = { from: new Int32Array(size), to: new Int32Array(size), weight: new Float64Array(size) }
  left.from.set(from)
  left.to.set(to)
  if (weight === undefined) left.weight.fill(1, 0, from.length)
  else left.weight.set(weight)
  let at = from.length
  for (let i = 0; i < taken.from.length; i++) {
    const [source, target] = [ids.from[taken.from[i]], ids.to[taken.to[i]]]
    if (source < 0 || target < 0) continue
    left.from[at] = source
    left.to[at] = target
    left.weight[at++] = -1
  }
  return { from: left.from.subarray(0, at), to: left.to.subarray(0, at), weight: left.weight.subarray(0, at) }
}

/**
 * The edges of released tables of counts: `clicks` (query, url, count) and `transitions` (query, next, count), the columns in this
 * order. Counts stay as they are, negative ones too. A table that is not there has none.
 */
export function edgesOfTables({
  clicks,
  transitions,
}: {
  clicks?: ColumnTable
  transitions?: ColumnTable
}): ClickEdges {
  const [clicked, urls] = [textsOf(clicks, 0), textsOf(clicks, 1)]
  const [before, after] = [textsOf(transitions, 0), textsOf(transitions, 1)]
  const queries = dictionaryOf([clicked, before, after].flatMap(({ texts }) => [...textsIn(texts)]))
  const idsOf = ({ texts, ids }: TextColumn) => {
    const own = idsIn(queries, texts)
    return ids.map((id) => own[id])
  }
  return {
    queries,
    urls: urls.texts,
    clicks: { from: idsOf(clicked), to: urls.ids, weight: countsOf(clicks) },
    transitions: { from: idsOf(before), to: idsOf(after), weight: countsOf(transitions) },
  }
}

type TextColumn = Extract<TableColumn, { ids: Int32Array }>

function textsOf(table: ColumnTable | undefined, place: number): TextColumn {
  const column = table?.columns[place]
  if (column !== undefined && "ids" in column) return column
  return { name: "", texts: dictionaryOf([]), ids: new Int32Array(0) }
}

function countsOf(table: ColumnTable | undefined): Float64Array {
  const column = table?.columns[2]
  return column !== undefined && "values" in column ? column.values : new Float64Array(0)
}

function* textsIn(texts: Dictionary): Generator<string> {
  for (let id = 0; id < texts.size; id++) yield texts.text(id)
}
