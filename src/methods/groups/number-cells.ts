import { type ClickGraph, pairOf } from "../../kernels/click-graph.ts"
import type { Clusters } from "../../kernels/cluster-sets.ts"
import { orderByKey } from "../../kernels/sort-segments.ts"
import type { SearchLog } from "../../log/search-log.ts"

/**
 * Cells of the query cluster-url matrices: pairs of a cluster and a shown url that some shown query of the cluster was
 * clicked with. Other pairs have no number, because no shown query could represent them, so every group would suppress
 * them.
 */
export interface Cells {
  size: number
  /** By pair of the click graph: its cell, or -1 if it cannot be shown. */
  cellOf: Int32Array
  /** By cell: its url, and the first query of its cluster in the log. */
  url: Int32Array
  firstQuery: Int32Array
  /** The shown queries of each cell c: pool[poolStarts[c], poolStarts[c + 1]). */
  poolStarts: Uint32Array
  pool: Int32Array
}

/**
 * Numbers the cells. Marks: `isShown` by query, `isUrlShown` by url, `isDropped` by cluster. Dropped clusters and urls
 * that are not shown have no cells.
 */
export function numberCells(
  graph: ClickGraph,
  { clusterOf, count }: Clusters,
  { isShown, isUrlShown, isDropped }: { isShown: Uint8Array; isUrlShown: Uint8Array; isDropped: Uint8Array },
): Cells {
  const { offsets, members } = graph
  const clustered = Int32Array.from(clusterOf, (cluster) => (cluster < 0 || isDropped[cluster] === 1 ? count : cluster))
  const byCluster = orderByKey(clustered, count + 1)
  const cellOf = new Int32Array(members.length).fill(-1)
  const lastCell = new Int32Array(graph.size).fill(-1) // of each url
  const firstQuery: number[] = []
  let size = 0
  /** Gives every shown url of a shown query a cell of its cluster, whose cells are numbered from `first`. */
  const numberShown = (query: number, { first, leader }: { first: number; leader: number }) => {
    for (let i = offsets[query]; i < offsets[query + 1]; i++) {
      if (isUrlShown[members[i]] === 0) continue
      if (lastCell[members[i]] < first) {
        lastCell[members[i]] = size++
        firstQuery.push(leader)
      }
      cellOf[i] = lastCell[members[i]]
    }
  }
  /** A query that is not shown has the cells that shown queries of its cluster made. */
  const joinHidden = (query: number, first: number) => {
    for (let i = offsets[query]; i < offsets[query + 1]; i++)
      if (lastCell[members[i]] >= first) cellOf[i] = lastCell[members[i]]
  }
  for (let from = 0; from < byCluster.length && clustered[byCluster[from]] < count; ) {
    const first = size
    const leader = byCluster[from]
    let to = from
    for (; to < byCluster.length && clustered[byCluster[to]] === clustered[leader]; to++)
      if (isShown[byCluster[to]] === 1) numberShown(byCluster[to], { first, leader })
    for (; from < to; from++) if (isShown[byCluster[from]] === 0) joinHidden(byCluster[from], first)
  }
  return { size, cellOf, firstQuery: Int32Array.from(firstQuery), ...poolQueries(graph, { cellOf, size, isShown }) }
}

function poolQueries(
  { offsets, members }: ClickGraph,
  { cellOf, size, isShown }: { cellOf: Int32Array; size: number; isShown: Uint8Array },
): Pick<Cells, "url" | "poolStarts" | "pool"> {
  const poolStarts = new Uint32Array(size + 1)
  const url = new Int32Array(size)
  const visit = (each: (query: number, pair: number) => void) => {
    for (let query = 0; query < isShown.length; query++) {
      if (isShown[query] === 0) continue
      for (let i = offsets[query]; i < offsets[query + 1]; i++) if (cellOf[i] >= 0) each(query, i)
    }
  }
  visit((_, pair) => poolStarts[cellOf[pair] + 1]++)
  for (let cell = 0; cell < size; cell++) poolStarts[cell + 1] += poolStarts[cell]
  const pool = new Int32Array(poolStarts[size])
  const next = poolStarts.slice(0, size)
  visit((query, pair) => {
    pool[next[cellOf[pair]]++] = query
    url[cellOf[pair]] = members[pair]
  })
  return { url, poolStarts, pool }
}

/** By row of the log: its cell, or -1. */
export function cellsOfRows(log: SearchLog, graph: ClickGraph, { cellOf }: Cells): Int32Array {
  const cells = new Int32Array(log.rows)
  for (let row = 0; row < log.rows; row++) {
    cells[row] = log.url[row] < 0 ? -1 : cellOf[pairOf(graph, log.query[row], log.url[row])]
  }
  return cells
}
