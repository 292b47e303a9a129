import type { RandomSource } from "../../kernels/random.ts"
import { shuffle } from "../../kernels/random.ts"
import type { AffinityGraph } from "../../methods/affinity/affinity-graph.ts"
import { growSurroundings, peelSurroundings } from "../../methods/affinity/approximate.ts"
import type { TableData } from "../study.ts"

interface SubgraphOptions {
  /** Exact degrees, by query. */
  degrees: Uint32Array
  vmax: readonly number[]
  /** Number of queries to sample. */
  subgraphs: number
  ks: readonly number[]
  random: RandomSource
}

/**
 * Measures what Vmax costs (Carpineto & Romano 2015, §3.4 and 4.1). It grows subgraphs of at most Vmax vertices around
 * random expanded queries. The degrees found there are lower bounds and are compared with the exact ones. A vertex is a
 * vector: queries with the same concepts share one.
 */
export function measureSubgraphs(built: AffinityGraph, options: SubgraphOptions): TableData {
  const { graph, expanded, counts, users } = built
  const queries = drawExpanded(built, options)
  const sizes = new Uint32Array(graph.offsets.length - 1)
  expanded.vectorOf.forEach((vector, query) => {
    if (vector >= 0 && (counts.users[query] ?? 0) > 0) sizes[vector] = (sizes[vector] ?? 0) + 1
  })
  const neighbours = (vector: number) => graph.neighbours.subarray(graph.offsets[vector], graph.offsets[vector + 1])
  const rows = options.vmax.map((vmax) => {
    const found = queries.map((query) => {
      const around = growSurroundings(neighbours, expanded.vectorOf[query] ?? 0, { vmax })
      return {
        vertices: around.vectors.length,
        queries: around.vectors.reduce((sum, vector) => sum + (sizes[vector] ?? 0), 0),
        closed: around.closed,
        degree: options.degrees[query] ?? 0,
        bound: peelSurroundings(around, users)[0] ?? 0,
      }
    })
    const mean = (of: (one: (typeof found)[number]) => number) =>
      found.reduce((sum, one) => sum + of(one), 0) / Math.max(1, found.length)
    const gaps = options.ks.map((k) => mean(({ degree, bound }) => Number(degree >= k) - Number(bound >= k)))
    return [
      vmax,
      found.length,
      mean((one) => one.vertices),
      mean((one) => one.queries),
      mean((one) => Number(one.closed)),
      mean((one) => Number(one.bound === one.degree)),
      mean((one) => one.degree - one.bound),
      Math.max(0, ...gaps),
    ]
  })
  return {
    columns: ["vmax", "subgraphs", "vertices", "queries", "closed", "exact", "error", "gap"],
    rows,
  }
}

function drawExpanded({ expanded, counts }: AffinityGraph, { subgraphs, random }: SubgraphOptions): number[] {
  const all = Uint32Array.from(expanded.vectorOf.keys()).filter(
    (query) => (expanded.vectorOf[query] ?? -1) >= 0 && (counts.users[query] ?? 0) > 0,
  )
  shuffle(all, random)
  return [...all.subarray(0, subgraphs)]
}
