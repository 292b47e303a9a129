import { breathe, type RunContext } from "./context.ts"
import { runParallel } from "./parallel.ts"

/**
 * Sparse vectors of length one: vector v has weights[i] in dimension dims[i] for i in [offsets[v], offsets[v + 1]), its
 * dimensions ascending, its weights positive.
 */
export interface UnitVectors {
  offsets: Uint32Array
  dims: Int32Array
  weights: Float64Array
  /** Dimensions are 0 … size - 1. */
  size: number
}

/** Undirected, without loops: the neighbours of v are neighbours[offsets[v], offsets[v + 1]), ascending. */
export interface CsrGraph {
  offsets: Float64Array
  neighbours: Int32Array
}

/** Two vectors are similar when their cosine is at least θ, up to this. */
export const cosineTolerance = 1e-12

/** Slack of every bound that rules a pair out, far above the rounding of a sum of a few products. */
export const boundSlack = 1e-9

/**
 * Vectors with their dimensions in one common order, the rarest first, and the postings of the part of each vector that
 * is indexed: the shortest prefix whose rest has a norm below θ. If x and y are similar, their first common dimension
 * lies in both prefixes: were it in the rest of x, all they share would be, and x·y ≤ ‖rest of x‖·‖y‖ < θ.
 */
export interface PrefixIndex {
  theta: number
  offsets: Uint32Array
  /** Ranks of dimensions, ascending within a vector. */
  ranks: Int32Array
  weights: Float64Array
  /** Norm of what comes behind each entry of a vector. */
  rest: Float64Array
  /** Postings of dimension rank r: [starts[r], starts[r + 1]) of the arrays below, heaviest first, up to `weightStep`. */
  starts: Float64Array
  vector: Int32Array
  /** The entry of the vector: its index into `ranks`, `weights` and `rest`. */
  entry: Uint32Array
  /** Its weight and its rest again, side by side with the others that are compared with it. */
  postingWeight: Float64Array
  postingRest: Float64Array
}

export interface JoinShard extends PrefixIndex {
  /** Dimension ranks, and in the last of them, or the only one, which postings come first in a pair. */
  fromRank: number
  toRank: number
  fromPosting: number
  toPosting: number
}

const worker = new URL("./join-similar.worker.js", import.meta.url)

/** All pairs of vectors with a cosine of at least θ, exactly. Workers get about `shardPairs` pairs of postings at a time. */
export async function joinSimilar(
  vectors: UnitVectors,
  options: { theta: number; shardPairs?: number },
  context: RunContext,
): Promise<CsrGraph> {
  const { theta, shardPairs = 2 ** 27 } = options
  await breathe(context, { stage: "indexing", done: 0 })
  const index = indexPrefixes(vectors, theta)
  const shards = cutShards(index, shardPairs)
  await breathe(context, { stage: "joining", done: 0, total: shards.length })
  const pairs = await runParallel<JoinShard, { pairs: Int32Array }>(worker, shards, context)
  return graphOf(
    pairs.map((part) => part.pairs),
    vectors.offsets.length - 1,
  )
}

function sharedCopy<A extends Int32Array | Uint32Array | Float64Array>(
  type: { new (buffer: SharedArrayBuffer): A; BYTES_PER_ELEMENT: number },
  length: number,
): A {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT))
}

/** Workers share what is on shared memory; a plain buffer would be taken from its owner by the first shard. */
function onSharedMemory(array: Uint32Array): Uint32Array {
  if (array.buffer instanceof SharedArrayBuffer) return array
  const copy = sharedCopy(Uint32Array, array.length)
  copy.set(array)
  return copy
}

export function indexPrefixes(vectors: UnitVectors, theta: number): PrefixIndex {
  const { offsets, dims } = vectors
  const count = offsets.length - 1
  const rankOf = rankDimensions(vectors)
  const ranks = sharedCopy(Int32Array, dims.length)
  const weights = sharedCopy(Float64Array, dims.length)
  const rest = sharedCopy(Float64Array, dims.length)
  const prefixEnd = new Uint32Array(count)
  const starts = sharedCopy(Float64Array, vectors.size + 1)
  for (let v = 0; v < count; v++) {
    sortByRank(vectors, v, { rankOf, ranks, weights })
    let square = 0
    let end = offsets[v]
    for (let i = offsets[v + 1] - 1; i >= offsets[v]; i--) {
      rest[i] = Math.sqrt(square)
      square += weights[i] * weights[i]
      // The prefix must reach this entry when from here on there is norm enough.
      if (end === offsets[v] && Math.sqrt(square) >= theta - boundSlack) end = i + 1
    }
    prefixEnd[v] = end
    for (let i = offsets[v]; i < end; i++) starts[ranks[i] + 1]++
  }
  for (let r = 0; r < vectors.size; r++) starts[r + 1] += starts[r]
  const vector = sharedCopy(Int32Array, starts[vectors.size])
  const entry = sharedCopy(Uint32Array, starts[vectors.size])
  const next = starts.slice(0, vectors.size)
  for (let v = 0; v < count; v++) {
    for (let i = offsets[v]; i < prefixEnd[v]; i++) {
      const at = next[ranks[i]]++
      vector[at] = v
      entry[at] = i
    }
  }
  sortPostings({ starts, vector, entry, weights })
  const postingWeight = sharedCopy(Float64Array, entry.length)
  const postingRest = sharedCopy(Float64Array, entry.length)
  for (let posting = 0; posting < entry.length; posting++) {
    postingWeight[posting] = weights[entry[posting]]
    postingRest[posting] = rest[entry[posting]]
  }
  const shared = onSharedMemory(offsets)
  return { theta, offsets: shared, ranks, weights, rest, starts, vector, entry, postingWeight, postingRest }
}

/** Postings are sorted by steps of weight, so that weight and place fit into one number that sorts fast. */
const weightStep = 2 ** -20

/** Puts the postings of each dimension in order, the heaviest first. */
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
 * The least weight that y can have in the first dimension it shares with x when they are similar. x·y is at most
 * xWeight·yWeight + xRest·√(1 - yWeight²) = r·cos(β - α), where α and r are the polar coordinates of (xWeight, xRest)
 * and yWeight = cos β. That falls as β rises beyond α, and is θ at β = α + arccos(θ / r).
 */
function leastWeight(weight: number, rest: number, bound: number): number {
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

/** Writes a vector's entries by rising rank; vectors are short, so by insertion. */
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

/** Cuts the dimensions, and the largest of them within, into shards of about as many pairs of postings. */
function cutShards(index: PrefixIndex, shardPairs: number): JoinShard[] {
  const { starts } = index
  const size = starts.length - 1
  const shards: JoinShard[] = []
  let fromRank = 0
  let held = 0
  const close = (toRank: number) => {
    if (toRank > fromRank)
      shards.push({ ...index, fromRank, toRank, fromPosting: 0, toPosting: Number.MAX_SAFE_INTEGER })
    fromRank = toRank
    held = 0
  }
  for (let rank = 0; rank < size; rank++) {
    const length = starts[rank + 1] - starts[rank]
    const pairs = (length * (length - 1)) / 2
    if (pairs > shardPairs) {
      close(rank)
      const parts = Math.ceil(pairs / shardPairs)
      for (let part = 0; part < parts; part++) {
        const [fromPosting, toPosting] = [cutTriangle(length, part / parts), cutTriangle(length, (part + 1) / parts)]
        if (toPosting > fromPosting) shards.push({ ...index, fromRank: rank, toRank: rank + 1, fromPosting, toPosting })
      }
      fromRank = rank + 1
    } else {
      held += pairs
      if (held > shardPairs) close(rank + 1)
    }
  }
  close(size)
  return shards
}

/** How many of `length` postings, each paired with those behind it, have this share of all pairs. */
function cutTriangle(length: number, share: number): number {
  return Math.round(length * (1 - Math.sqrt(1 - share)))
}

/** The pairs of one shard, as two numbers each. A pair is found at its first common dimension only. */
export function joinShard(shard: JoinShard): Int32Array {
  const { theta, offsets, ranks, weights, starts, vector, entry, postingWeight, postingRest } = shard
  const least = theta - cosineTolerance
  const bound = theta - boundSlack
  let pairs = new Int32Array(1 << 16)
  let length = 0
  for (let rank = shard.fromRank; rank < shard.toRank; rank++) {
    const [start, end] = [starts[rank], starts[rank + 1]]
    const stop = Math.min(end, start + shard.toPosting)
    for (let a = start + shard.fromPosting; a < stop; a++) {
      const x = vector[a]
      const xEntry = entry[a]
      const xWeight = postingWeight[a]
      const xRest = postingRest[a]
      const xStart = offsets[x]
      const xEnd = offsets[x + 1]
      const enough = leastWeight(xWeight, xRest, bound)
      for (let b = a + 1; b < end; b++) {
        // Those behind weigh no more.
        if (postingWeight[b] < enough) break
        // This is their first common dimension, so x·y is at most this.
        if (xWeight * postingWeight[b] + xRest * postingRest[b] < bound) continue
        const yEntry = entry[b]
        const y = vector[b]
        if (sharesEarlier(ranks, { xStart, xEntry, yStart: offsets[y], yEntry })) continue
        let dot = 0
        const yEnd = offsets[y + 1]
        for (let i = xEntry, j = yEntry; i < xEnd && j < yEnd; ) {
          const difference = ranks[i] - ranks[j]
          if (difference === 0) dot += weights[i++] * weights[j++]
          else if (difference < 0) i++
          else j++
        }
        if (dot < least) continue
        if (length === pairs.length) {
          const larger = new Int32Array(length * 2)
          larger.set(pairs)
          pairs = larger
        }
        pairs[length++] = x
        pairs[length++] = y
      }
    }
  }
  return pairs.slice(0, length)
}

/** Whether two vectors have a common dimension before these entries. */
export function sharesEarlier(
  ranks: Int32Array,
  { xStart, xEntry, yStart, yEntry }: { xStart: number; xEntry: number; yStart: number; yEntry: number },
): boolean {
  for (let i = xStart, j = yStart; i < xEntry && j < yEntry; ) {
    const difference = ranks[i] - ranks[j]
    if (difference === 0) return true
    if (difference < 0) i++
    else j++
  }
  return false
}

function graphOf(parts: readonly Int32Array[], vertices: number): CsrGraph {
  const offsets = sharedCopy(Float64Array, vertices + 1)
  for (const pairs of parts) for (let i = 0; i < pairs.length; i++) offsets[pairs[i] + 1]++
  for (let v = 0; v < vertices; v++) offsets[v + 1] += offsets[v]
  const neighbours = sharedCopy(Int32Array, offsets[vertices])
  const next = offsets.slice(0, vertices)
  for (const pairs of parts) {
    for (let i = 0; i < pairs.length; i += 2) {
      neighbours[next[pairs[i]]++] = pairs[i + 1]
      neighbours[next[pairs[i + 1]]++] = pairs[i]
    }
  }
  for (let v = 0; v < vertices; v++) neighbours.subarray(offsets[v], offsets[v + 1]).sort()
  return { offsets, neighbours }
}
