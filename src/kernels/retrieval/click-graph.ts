/** Weighted edges in columns; an edge may stand several times, its weights add up. Without weights each counts 1. */
export interface WeightedEdges {
  from: Int32Array
  to: Int32Array
  weight?: Float64Array
}

/** Edges by their source: those of q are [starts[q], starts[q + 1]), each target once, all weights positive. */
export interface OutEdges {
  starts: Uint32Array
  targets: Int32Array
  weights: Float64Array
}

/**
 * What queries lead to: clicked documents, and queries that were issued next. Zhang, Yang & Singh 2016, §5. All on shared
 * memory, so that workers walk one graph.
 */
export interface ClickGraph {
  queries: number
  documents: number
  clicks: OutEdges
  transitions: OutEdges
  /** By query: Σ of the weights of all that leaves it. */
  leaving: Float64Array
}

/**
 * Edges whose weights sum to 0 or less are none: noisy counts may be negative, and it is here that they are clamped, never
 * in a release. Nor is a transition from a query to itself: staying is what the self-loop of the walk is for.
 */
export function buildClickGraph(options: {
  queries: number
  documents: number
  clicks: WeightedEdges
  transitions: WeightedEdges
}): ClickGraph {
  const { queries, documents } = options
  const clicks = gatherEdges(options.clicks, { sources: queries, targets: documents, loops: true })
  const transitions = gatherEdges(options.transitions, { sources: queries, targets: queries, loops: false })
  const leaving = sharedFloats(queries)
  for (const { starts, weights } of [clicks, transitions]) {
    for (let query = 0; query < queries; query++) {
      for (let i = starts[query]; i < starts[query + 1]; i++) leaving[query] += weights[i]
    }
  }
  return { queries, documents, clicks, transitions, leaving }
}

/**
 * Edges by source, and those of one source by target: two counting sorts, by target and then by source, which keeps the order
 * by target. Edges of one source and target are one; what sums to 0 or less is none.
 */
export function gatherEdges(
  edges: WeightedEdges,
  size: { sources: number; targets: number; loops: boolean },
): OutEdges {
  const { from, to, weight } = edges
  const { sources, loops } = size
  const byTarget = new Uint32Array(size.targets + 1)
  const kept = (i: number) => loops || from[i] !== to[i]
  const bounds = new Uint32Array(sources + 1)
  let count = 0
  for (let i = 0; i < from.length; i++) {
    if (!kept(i)) continue
    byTarget[to[i] + 1]++
    bounds[from[i] + 1]++
    count++
  }
  for (let i = 0; i < size.targets; i++) byTarget[i + 1] += byTarget[i]
  for (let i = 0; i < sources; i++) bounds[i + 1] += bounds[i]
  const order = new Uint32Array(count)
  for (let i = 0; i < from.length; i++) if (kept(i)) order[byTarget[to[i]]++] = i
  const targets = new Int32Array(count)
  const weights = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const edge = order[i]
    const place = bounds[from[edge]]++
    targets[place] = to[edge]
    weights[place] = weight === undefined ? 1 : weight[edge]
  }
  return mergeRuns({ starts: bounds, targets, weights })
}

/** Adds up runs of one target; `starts[q]` holds the end of q's edges here, as counting leaves it. */
function mergeRuns({ starts: ends, targets, weights }: OutEdges): OutEdges {
  const sources = ends.length - 1
  const starts = new Uint32Array(new SharedArrayBuffer((sources + 1) * 4))
  let out = 0
  for (let source = 0, i = 0; source < sources; source++) {
    starts[source] = out
    while (i < ends[source]) {
      const target = targets[i]
      let sum = 0
      while (i < ends[source] && targets[i] === target) sum += weights[i++]
      if (sum <= 0) continue
      targets[out] = target
      weights[out++] = sum
    }
  }
  starts[sources] = out
  const shared = { targets: new Int32Array(new SharedArrayBuffer(out * 4)), weights: sharedFloats(out) }
  shared.targets.set(targets.subarray(0, out))
  shared.weights.set(weights.subarray(0, out))
  return { starts, ...shared }
}

function sharedFloats(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8))
}
