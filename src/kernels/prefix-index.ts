/**
 * Sparse vectors of length one. Vector v has weights[i] in dimension dims[i] for i in [offsets[v], offsets[v + 1]). Its
 * dimensions ascend and its weights are positive.
 */
export interface UnitVectors {
  offsets: Uint32Array
  dims: Int32Array
  weights: Float64Array
  /** Dimensions are 0 … size - 1. */
  size: number
}

/** Two vectors are similar if their cosine is at least θ, up to this tolerance. */
export const cosineTolerance = 1e-12

/** Slack of every bound that rules out a pair. It is far above the rounding error of a sum of a few products. */
export const boundSlack = 1e-9

/**
 * Vectors with their dimensions in one common order, the rarest first, and the postings of the indexed part of each
 * vector. That part is the shortest prefix whose rest has a norm below θ. If x and y are similar, their first common
 * dimension is in both prefixes. Suppose it were in the rest of x: then all common dimensions would be, and
 * x·y ≤ ‖rest of x‖·‖y‖ < θ.
 */
export interface PrefixIndex {
  theta: number
  offsets: Uint32Array
  /** Ranks of dimensions, ascending within a vector. */
  ranks: Int32Array
  weights: Float64Array
  /** By entry: the norm of the entries after it in its vector. */
  rest: Float64Array
  /**
   * Postings of dimension rank r: [starts[r], starts[r + 1]) of the arrays below, heaviest first, up to `weightStep`.
   */
  starts: Float64Array
  vector: Int32Array
  /** The entry of the vector: its index into `ranks`, `weights` and `rest`. */
  entry: Uint32Array
  /** Copies of its weight and its rest, next to those of the postings that are compared with it. */
  postingWeight: Float64Array
  postingRest: Float64Array
}

/** An array of zeros that workers can share. */
export function sharedZeros<A extends Int32Array | Uint32Array | Float64Array>(
  type: { new (buffer: SharedArrayBuffer): A; BYTES_PER_ELEMENT: number },
  length: number,
): A {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT))
}

/** Workers can share only shared memory. The first shard would take a plain buffer from its owner. */
function onSharedMemory(array: Uint32Array): Uint32Array {
  if (array.buffer instanceof SharedArrayBuffer) return array
  const copy = sharedZeros(Uint32Array, array.length)
  copy.set(array)
  return copy
}

export function indexPrefixes(vectors: UnitVectors, theta: number): PrefixIndex {
  const { offsets, dims } = vectors
  const count = offsets.length - 1
  const rankOf = rankDimensions(vectors)
  const ranks = sharedZeros(Int32Array, dims.length)
  const weights = sharedZeros(Float64Array, dims.length)
  const rest = sharedZeros(Float64Array, dims.length)
  const prefixEnd = new Uint32Array(count)
  const starts = sharedZeros(Float64Array, vectors.size + 1)
  for (let v = 0; v < count; v++) {
    sortByRank(vectors, v, { rankOf, ranks, weights })
    let square = 0
    let end = offsets[v]
    for (let i = offsets[v + 1] - 1; i >= offsets[v]; i--) {
      rest[i] = Math.sqrt(square)
      square += weights[i] * weights[i]
      // The prefix must include this entry if the norm from here on is large enough.
      if (end === offsets[v] && Math.sqrt(square) >= theta - boundSlack) end = i + 1
    }
    prefixEnd[v] = end
    for (let i = offsets[v]; i < end; i++) starts[ranks[i] + 1]++
  }
  for (let r = 0; r < vectors.size; r++) starts[r + 1] += starts[r]
  const vector = sharedZeros(Int32Array, starts[vectors.size])
  const entry = sharedZeros(Uint32Array, starts[vectors.size])
  const next = starts.slice(0, vectors.size)
  for (let v = 0; v < count; v++) {
    for (let i = offsets[v]; i < prefixEnd[v]; i++) {
      const at = next[ranks[i]]++
      vector[at] = v
      entry[at] = i
    }
  }
  sortPostings({ starts, vector, entry, weights })
  const postingWeight = sharedZeros(Float64Array, entry.length)
  const postingRest = sharedZeros(Float64Array, entry.length)
  for (let posting = 0; posting < entry.length; posting++) {
    postingWeight[posting] = weights[entry[posting]]
    postingRest[posting] = rest[entry[posting]]
  }
  const shared = onSharedMemory(offsets)
  return { theta, offsets: shared, ranks, weights, rest, starts, vector, entry, postingWeight, postingRest }
}

/** Postings are sorted by steps of weight, so that weight and place fit into one number that sorts fast. */
const weightStep = 2 ** -20

/** Sorts the postings of each dimension, the heaviest first. */
function sortPostings({
  starts,
  vector,
  entry,
  weights,
}: Pick<PrefixIndex, "starts" | "vector" | "entry" | "weights">): void {
  for (let rank = 0; rank + 1 < starts.length; rank++) {
    const [start, end] = [starts[rank], starts[rank + 1]]
    if (end - start < 2) continue
    const keys = new Float64Array(end - start)
    for (let i = 0; i < keys.length; i++) {
      keys[i] = Math.floor((1 - Math.min(1, weights[entry[start + i]])) / weightStep) * 2 ** 32 + i
    }
    keys.sort()
    const [vectors, entries] = [vector.slice(start, end), entry.slice(start, end)]
    for (let i = 0; i < keys.length; i++) {
      const from = keys[i] % 2 ** 32
      vector[start + i] = vectors[from]
      entry[start + i] = entries[from]
    }
  }
}

/**
 * The smallest weight that y can have in the first dimension it shares with x if they are similar. x·y is at most
 * xWeight·yWeight + xRest·√(1 - yWeight²) = r·cos(β - α), where α and r are the polar coordinates of (xWeight, xRest)
 * and yWeight = cos β. This falls as β rises beyond α, and equals θ at β = α + arccos(θ / r).
 */
export function leastWeight(weight: number, rest: number, bound: number): number {
  const angle = Math.atan2(rest, weight) + Math.acos(Math.min(1, bound / Math.hypot(weight, rest)))
  return angle >= Math.PI / 2 ? 0 : Math.cos(angle) - weightStep - boundSlack
}

/** The place of each dimension in the common order: by the number of vectors that have it, then by number. */
function rankDimensions({ dims, size }: UnitVectors): Int32Array {
  const frequency = new Uint32Array(size)
  for (const dim of dims) frequency[dim]++
  const order = Uint32Array.from({ length: size }, (_, dim) => dim).sort((a, b) => frequency[a] - frequency[b] || a - b)
  const rankOf = new Int32Array(size)
  order.forEach((dim, rank) => {
    rankOf[dim] = rank
  })
  return rankOf
}

/** Writes a vector's entries by ascending rank. Vectors are short, so it sorts by insertion. */
function sortByRank(
  { offsets, dims, weights: given }: UnitVectors,
  v: number,
  { rankOf, ranks, weights }: { rankOf: Int32Array; ranks: Int32Array; weights: Float64Array },
): void {
  for (let i = offsets[v]; i < offsets[v + 1]; i++) {
    const rank = rankOf[dims[i]]
    let at = i
    for (; at > offsets[v] && ranks[at - 1] > rank; at--) {
      ranks[at] = ranks[at - 1]
      weights[at] = weights[at - 1]
    }
    ranks[at] = rank
    weights[at] = given[i]
  }
}
