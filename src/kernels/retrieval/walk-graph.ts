/** Weighted edges in columns (default weight 1). An edge may occur several times; its weights are added. */
export interface WeightedEdges {
  from: Int32Array
  to: Int32Array
  weight?: Float64Array
}

/**
 * Edges by source: those of q are [starts[q], starts[q + 1]). Each target occurs once, and all weights are positive.
 */
export interface OutEdges {
  starts: Uint32Array
  targets: Int32Array
  weights: Float64Array
}

/** Where queries lead: to clicked documents, and to queries that were issued next. Zhang, Yang & Singh 2016, §5. */
export interface WalkGraph {
  queries: number
  documents: number
  clicks: OutEdges
  transitions: OutEdges
  /** By query: the sum of the weights of all its outgoing edges. */
  leaving: Float64Array
}

/**
 * Builds the graph. Edges whose weights sum to 0 or less are dropped. Noisy counts may be negative; they are clamped
 * here and never in a release. A transition from a query to itself is dropped too, because the self-loop of the walk
 * represents staying.
 */
export function buildWalkGraph(options: {
  queries: number
  documents: number
  clicks: WeightedEdges
  transitions: WeightedEdges
}): WalkGraph {
  const { queries, documents } = options
  const clicks = gatherEdges(options.clicks, { sources: queries, loops: true })
  const transitions = gatherEdges(options.transitions, { sources: queries, loops: false })
  const leaving = new Float64Array(queries)
  for (const { starts, weights } of [clicks, transitions]) {
    for (let query = 0, i = 0; query < queries; query++) {
      let sum = 0
      for (const end = starts[query + 1]; i < end; i++) sum += weights[i]
      leaving[query] += sum
    }
  }
  return { queries, documents, clicks, transitions, leaving }
}

/**
 * Groups edges by source, and sorts those of one source by target. So sums do not depend on the order of the edges.
 * Edges with the same source and target are merged, and dropped if the sum is 0 or less. Without `loops`, edges from a
 * source to itself are dropped too.
 *
 * A counting sort by source. Most sources have few edges, which are sorted by insertion.
 */
export function gatherEdges(
  { from, to, weight }: WeightedEdges,
  options: { sources: number; loops: boolean },
): OutEdges {
  const { sources, loops } = options
  const ends = new Uint32Array(sources + 1)
  for (let i = 0; i < from.length; i++) if (loops || from[i] !== to[i]) ends[from[i] + 1]++
  for (let i = 0; i < sources; i++) ends[i + 1] += ends[i]
  const count = ends[sources]
  const targets = new Int32Array(count)
  const weights = new Float64Array(count)
  if (weight === undefined) weights.fill(1)
  for (let i = 0; i < from.length; i++) {
    if (!loops && from[i] === to[i]) continue
    const place = ends[from[i]]++
    targets[place] = to[i]
    if (weight !== undefined) weights[place] = weight[i]
  }
  return mergeRuns(ends, { targets, weights })
}

/** Sorts and merges the edges of each source, in place. After the counting sort, those of q end at ends[q]. */
function mergeRuns(ends: Uint32Array, edges: Pick<OutEdges, "targets" | "weights">): OutEdges {
  const { targets, weights } = edges
  const sources = ends.length - 1
  const starts = new Uint32Array(sources + 1)
  let out = 0
  for (let source = 0, i = 0; source < sources; source++) {
    const end = ends[source]
    if (end - i > 1) sortByTarget(edges, i, end)
    starts[source] = out
    while (i < end) {
      const target = targets[i]
      let sum = 0
      for (; i < end && targets[i] === target; i++) sum += weights[i]
      if (sum <= 0) continue
      targets[out] = target
      weights[out++] = sum
    }
  }
  starts[sources] = out
  return { starts, targets: targets.subarray(0, out), weights: weights.subarray(0, out) }
}

const fewEdges = 24

/** Sorts edges [from, to) by target, then by weight: sums of fractions depend on the order. */
function sortByTarget({ targets, weights }: Pick<OutEdges, "targets" | "weights">, from: number, to: number): void {
  if (to - from > fewEdges) {
    const [ownTargets, ownWeights] = [targets.slice(from, to), weights.slice(from, to)]
    const compare = (a: number, b: number) => ownTargets[a] - ownTargets[b] || ownWeights[a] - ownWeights[b]
    const order = Uint32Array.from(ownTargets.keys()).sort(compare)
    for (let i = 0; i < order.length; i++) {
      targets[from + i] = ownTargets[order[i]]
      weights[from + i] = ownWeights[order[i]]
    }
    return
  }
  for (let i = from + 1; i < to; i++) {
    const target = targets[i]
    const weight = weights[i]
    let j = i - 1
    for (; j >= from && (targets[j] > target || (targets[j] === target && weights[j] > weight)); j--) {
      targets[j + 1] = targets[j]
      weights[j + 1] = weights[j]
    }
    targets[j + 1] = target
    weights[j + 1] = weight
  }
}
