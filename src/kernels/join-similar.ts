import { type RunContext, yieldAndReport } from "./context.ts"
import { runParallel } from "./parallel.ts"
import {
  boundSlack,
  cosineTolerance,
  indexPrefixes,
  leastWeight,
  type PrefixIndex,
  sharedZeros,
  type UnitVectors,
} from "./prefix-index.ts"

/** An undirected graph without loops. The neighbours of v are neighbours[offsets[v], offsets[v + 1]), ascending. */
export interface CsrGraph {
  offsets: Float64Array
  neighbours: Int32Array
}

export interface JoinShard extends PrefixIndex {
  /** The range of dimension ranks, and in each rank the range of postings that come first in a pair. */
  fromRank: number
  toRank: number
  fromPosting: number
  toPosting: number
}

const worker = new URL("./join-similar.worker.js", import.meta.url)

/**
 * Finds all pairs of vectors with a cosine of at least θ, exactly. A shard for a worker has about `shardPairs` pairs of
 * postings.
 */
export async function joinSimilar(
  vectors: UnitVectors,
  options: { theta: number; shardPairs?: number },
  context: RunContext,
): Promise<CsrGraph> {
  const { theta, shardPairs = 2 ** 27 } = options
  await yieldAndReport(context, { stage: "indexing", done: 0 })
  const index = indexPrefixes(vectors, theta)
  const shards = cutShards(index, shardPairs)
  await yieldAndReport(context, { stage: "joining", done: 0, total: shards.length })
  const pairs = await runParallel<JoinShard, { pairs: Int32Array }>(worker, shards, context)
  return graphOf(
    pairs.map((part) => part.pairs),
    vectors.offsets.length - 1,
  )
}

/**
 * Cuts the dimensions into shards of about equally many pairs of postings. The largest dimensions are cut themselves.
 */
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

/** How many of the first of `length` postings have this share of all pairs, if each is paired with those after it. */
function cutTriangle(length: number, share: number): number {
  return Math.round(length * (1 - Math.sqrt(1 - share)))
}

/** The pairs of one shard, as two numbers each. A pair is found only at its first common dimension. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one hot loop over pairs of postings
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
        // Later postings weigh no more.
        if (postingWeight[b] < enough) break
        // This is their first common dimension, so x·y is at most this value.
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

/** True if two vectors have a common dimension before these entries. */
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

/** The graph of some pairs of vertices, each given once as two numbers. */
export function graphOf(parts: readonly Int32Array[], vertices: number): CsrGraph {
  const offsets = sharedZeros(Float64Array, vertices + 1)
  for (const pairs of parts) for (let i = 0; i < pairs.length; i++) offsets[pairs[i] + 1]++
  for (let v = 0; v < vertices; v++) offsets[v + 1] += offsets[v]
  const neighbours = sharedZeros(Int32Array, offsets[vertices])
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
