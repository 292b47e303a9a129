import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import type { WeightedEdges } from "../../kernels/retrieval/walk-graph.ts"
import type { ColumnTable, TableColumn } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { sessionGapSeconds } from "../../methods/name-lifetime.ts"

/**
 * What a retrieval algorithm learns from: edges from queries to clicked urls, and from queries to the queries issued
 * next.
 */
export interface ClickEdges {
  queries: Dictionary
  urls: Dictionary
  clicks: WeightedEdges
  transitions: WeightedEdges
  /** For each transition that comes from two rows, the urls clicked in them; -1 for none. */
  transitionUrls?: { before: Int32Array; after: Int32Array }
}

/** The rows of two consecutive searches of one user. */
export interface RowPairs {
  before: Int32Array
  after: Int32Array
}

/** Which rows make edges, and which searches follow each other. */
export interface RowChoice {
  /** The most seconds between two consecutive searches (default 30 minutes). */
  gap?: number
  /** The order of the rows, if it is not that of the log. */
  order?: Uint32Array
  /** Rows for which this returns false are ignored. */
  takes?: (row: number) => boolean
}

/** Pairs of consecutive searches of one user for different queries: the last row of one, the first row of the next. */
export function pairSearches(log: SearchLog, { gap = sessionGapSeconds, order, takes }: RowChoice = {}): RowPairs {
  const { user, query, time } = log
  const last = new Int32Array(log.users.size).fill(-1)
  // Allocated at their maximum length; memory that is not touched is not used.
  const pairs = { before: new Int32Array(log.rows), after: new Int32Array(log.rows) }
  let count = 0
  for (let i = 0; i < log.rows; i++) {
    const row = order === undefined ? i : order[i]
    const searcher = user[row]
    if (searcher < 0 || (takes !== undefined && !takes(row))) continue
    const before = last[searcher]
    last[searcher] = row
    if (before < 0 || query[before] === query[row] || time[row] - time[before] > gap) continue
    pairs.before[count] = before
    pairs.after[count++] = row
  }
  return { before: pairs.before.subarray(0, count), after: pairs.after.subarray(0, count) }
}

/**
 * The edges of rows: one for each click, and one for each two consecutive searches of one user. Rows without a user
 * have no transitions.
 */
export function edgesOfRows(log: SearchLog, choice: RowChoice = {}): ClickEdges {
  const { query, url } = log
  const { takes } = choice
  const clicks = { from: new Int32Array(log.rows), to: new Int32Array(log.rows) }
  let clicked = 0
  for (let row = 0; row < log.rows; row++) {
    if (url[row] < 0 || (takes !== undefined && !takes(row))) continue
    clicks.from[clicked] = query[row]
    clicks.to[clicked++] = url[row]
  }
  const { before, after } = pairSearches(log, choice)
  const [queryOf, urlOf] = [(row: number) => query[row], (row: number) => url[row]]
  return {
    queries: log.queries,
    urls: log.urls,
    clicks: { from: clicks.from.subarray(0, clicked), to: clicks.to.subarray(0, clicked) },
    transitions: { from: before.map(queryOf), to: after.map(queryOf) },
    transitionUrls: { before: before.map(urlOf), after: after.map(urlOf) },
  }
}

/** The id that each text of `own` has in another dictionary, or -1. */
export function idsIn(other: Dictionary, own: Dictionary): Int32Array {
  if (other === own) return Int32Array.from({ length: own.size }, (_, id) => id)
  return Int32Array.from({ length: own.size }, (_, id) => other.findBytes(own.bytes(id)))
}

/**
 * The edges of released tables of counts: `clicks` (query, url, count) and `transitions` (query, next, count), with the
 * columns in this order. Counts are not changed, not even negative ones. A missing table has no edges.
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
