import { firstAtLeast } from "./search-sorted.ts"
import type { CsrSets } from "./set-users.ts"

/**
 * The bipartite graph of queries and clicked urls (Hong et al. 2009, §2.1). The urls of query q are members[offsets[q],
 * offsets[q + 1]), ascending, each once. `clicks` has the number of rows of each such pair.
 */
export interface ClickGraph extends CsrSets {
  clicks: Uint32Array
}

/** Builds the graph from the rows with a click (url ≥ 0). */
export function buildClickGraph(
  { query, url }: { query: Int32Array; url: Int32Array },
  options: { queries: number; urls: number },
): ClickGraph {
  const { queries, urls } = options
  const starts = new Uint32Array(queries + 1)
  for (let row = 0; row < query.length; row++) if (url[row] >= 0) starts[query[row] + 1]++
  for (let q = 0; q < queries; q++) starts[q + 1] += starts[q]
  const clicked = new Int32Array(starts[queries])
  const next = starts.slice(0, queries)
  for (let row = 0; row < query.length; row++) if (url[row] >= 0) clicked[next[query[row]]++] = url[row]
  const offsets = new Uint32Array(queries + 1)
  const clicks = new Uint32Array(clicked.length)
  let pairs = 0
  for (let q = 0; q < queries; q++) {
    sortRange(clicked, starts[q], starts[q + 1])
    for (let i = starts[q]; i < starts[q + 1]; i++) {
      if (i > starts[q] && clicked[i] === clicked[pairs - 1]) clicks[pairs - 1]++
      else {
        clicked[pairs] = clicked[i]
        clicks[pairs++] = 1
      }
    }
    offsets[q + 1] = pairs
  }
  return { offsets, members: clicked.slice(0, pairs), clicks: clicks.slice(0, pairs), size: urls }
}

/** The pair of a query and a url that was clicked for it, as an index of `members`. */
export function pairOf({ offsets, members }: ClickGraph, query: number, url: number): number {
  return firstAtLeast(members, url, { from: offsets[query], to: offsets[query + 1] })
}

/** Sorts items[from, to). Most ranges have a few items, which insertion sorts fastest. */
export function sortRange(items: Int32Array, from: number, to: number): void {
  if (to - from > 24) {
    items.subarray(from, to).sort()
    return
  }
  for (let i = from + 1; i < to; i++) {
    const item = items[i]
    let at = i
    for (; at > from && items[at - 1] > item; at--) items[at] = items[at - 1]
    items[at] = item
  }
}
