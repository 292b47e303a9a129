import { sharesEarlier } from "./join-similar.ts"
import { boundSlack, cosineTolerance, type PrefixIndex } from "./prefix-index.ts"

/** The vectors with a cosine of at least θ to vector x, ascending: those that `joinSimilar` pairs with it. */
export function findSimilar(index: PrefixIndex, x: number): Int32Array {
  const { theta, offsets, ranks, weights, rest, starts, vector, entry, postingWeight, postingRest } = index
  const [xStart, xEnd] = [offsets[x], offsets[x + 1]]
  const found: number[] = []
  for (let xEntry = xStart; xEntry < xEnd; xEntry++) {
    const rank = ranks[xEntry]
    // After its prefix no dimension is the first that a similar vector shares.
    if (Math.hypot(weights[xEntry], rest[xEntry]) < theta - boundSlack) break
    for (let posting = starts[rank]; posting < starts[rank + 1]; posting++) {
      if (weights[xEntry] * postingWeight[posting] + rest[xEntry] * postingRest[posting] < theta - boundSlack) continue
      const y = vector[posting]
      const yEntry = entry[posting]
      if (y === x) continue
      if (sharesEarlier(ranks, { xStart, xEntry, yStart: offsets[y], yEntry })) continue
      const dot = dotFrom(index, { xEntry, xEnd, yEntry, yEnd: offsets[y + 1] })
      if (dot >= theta - cosineTolerance) found.push(y)
    }
  }
  return Int32Array.from(found).sort()
}

/** The product of two vectors over their entries from these on. */
function dotFrom(
  { ranks, weights }: PrefixIndex,
  { xEntry, xEnd, yEntry, yEnd }: { xEntry: number; xEnd: number; yEntry: number; yEnd: number },
): number {
  let dot = 0
  for (let i = xEntry, j = yEntry; i < xEnd && j < yEnd; ) {
    const difference = ranks[i] - ranks[j]
    if (difference === 0) dot += weights[i++] * weights[j++]
    else if (difference < 0) i++
    else j++
  }
  return dot
}
