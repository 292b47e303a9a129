import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import { gatherEdges, type OutEdges, type WeightedEdges } from "../../kernels/retrieval/walk-graph.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { sessionGapSeconds } from "../../methods/name-lifetime.ts"
import type { ColumnTable, TableColumn } from "../../methods/table.ts"

/** What a retrieval algorithm learns from: from queries to clicked urls, and from queries to those issued next. */
export interface ClickEdges {
  queries: Dictionary
  urls: Dictionary
  clicks: WeightedEdges
  transitions: WeightedEdges
}

/** Rows of two searches of one user, the second the next after the first. */
export interface RowPairs {
  before: Int32Array
  after: Int32Array
}

/** Which rows make edges, and which searches follow each other. */
export interface RowChoice {
  /** Most seconds between two searches that follow each other: 30 minutes unless given. */
  gap?: number
  /** The rows in the order in which searches follow each other, where it is not their own. */
  order?: Uint32Array
  /** Rows that are not taken are as if they were not there. */
  takes?: (row: number) => boolean
}

/** Searches of one user for different queries that follow each other: the last row of one, the first row of the next. */
export function pairSearches(log: SearchLog, { gap = sessionGapSeconds, order, takes }: RowChoice = {}): RowPairs {
  const { user, query, time } = log
  const last = new Int32Array(log.users.size).fill(-1)
  // As long as they may become: memory that is not touched is not used.
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
 * The edges of rows: one for each click, and one for each two searches of one user that follow each other. Rows without a
 * user have no transitions.
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
  return {
    queries: log.queries,
    urls: log.urls,
    clicks: { from: clicks.from.subarray(0, clicked), to: clicks.to.subarray(0, clicked) },
    transitions: { from: before.map((row) => query[row]), to: after.map((row) => query[row]) },
  }
}

/**
 * Edges as they would be without some users of the log, marked with a 1: each edge keeps the share of its clicks, or of its
 * transitions, that others have in the log, w (n - t) / n with n of them in all and t of the marked. What only they did goes,
 * however often the release repeats it; what the log does not have stays. Only searches with a query of the edges count, so
 * that two follow each other where those between were withheld.
 *
 * It is exact for edges of all rows of some queries, where w = n.
 */
export function removerOf(edges: ClickEdges, log: SearchLog): (marked: Uint8Array) => ClickEdges {
  const ids = { query: idsIn(edges.queries, log.queries), url: idsIn(edges.urls, log.urls) }
  const sources = edges.queries.size
  const gatherRows = (takes: (row: number) => boolean) => {
    const found = edgesOfRows(log, { takes: (row) => ids.query[log.query[row]] >= 0 && takes(row) })
    return {
      clicks: gatherEdges(renumber(found.clicks, { from: ids.query, to: ids.url }), { sources, loops: true }),
      transitions: gatherEdges(renumber(found.transitions, { from: ids.query, to: ids.query }), {
        sources,
        loops: false,
      }),
    }
  }
  const clicks = gatherEdges(edges.clicks, { sources, loops: true })
  const transitions = gatherEdges(edges.transitions, { sources, loops: false })
  const all = gatherRows(() => true)
  return (marked) => {
    const theirs = gatherRows((row) => log.user[row] >= 0 && marked[log.user[row]] === 1)
    return {
      ...edges,
      clicks: keepShares(clicks, all.clicks, { without: theirs.clicks }),
      transitions: keepShares(transitions, all.transitions, { without: theirs.transitions }),
    }
  }
}

/** The id that each text of `own` has in another dictionary, or -1. */
export function idsIn(other: Dictionary, own: Dictionary): Int32Array {
  if (other === own) return Int32Array.from({ length: own.size }, (_, id) => id)
  return Int32Array.from({ length: own.size }, (_, id) => other.findBytes(own.bytes(id)))
}

/** Edges under other ids; those that have none there are left out. */
function renumber({ from, to }: WeightedEdges, ids: { from: Int32Array; to: Int32Array }): WeightedEdges {
  const own = { from: new Int32Array(from.length), to: new Int32Array(from.length) }
  let at = 0
  for (let i = 0; i < from.length; i++) {
    const [source, target] = [ids.from[from[i]], ids.to[to[i]]]
    if (source < 0 || target < 0) continue
    own.from[at] = source
    own.to[at++] = target
  }
  return { from: own.from.subarray(0, at), to: own.to.subarray(0, at) }
}

/** Each edge with the share of its weight in `all` that is not in `without`. */
function keepShares(held: OutEdges, all: OutEdges, { without }: { without: OutEdges }): WeightedEdges {
  const { starts, targets } = held
  const from = new Int32Array(targets.length)
  const weight = held.weights.slice()
  for (let source = 0; source + 1 < starts.length; source++) {
    let [n, t] = [all.starts[source], without.starts[source]]
    for (let i = starts[source]; i < starts[source + 1]; i++) {
      from[i] = source
      while (n < all.starts[source + 1] && all.targets[n] < targets[i]) n++
      while (t < without.starts[source + 1] && without.targets[t] < targets[i]) t++
      if (t === without.starts[source + 1] || without.targets[t] !== targets[i]) continue
      weight[i] = (weight[i] * (all.weights[n] - without.weights[t])) / all.weights[n]
    }
  }
  return { from, to: targets, weight }
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
