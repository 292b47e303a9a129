/** The rank of one item in a list by descending weight, in which items of equal weight are in random order. */
export interface TiedRank {
  /** The number of heavier items. The best possible rank is `above` + 1. */
  above: number
  /** The number of items of equal weight, including the item itself. */
  ties: number
}

/** The rank of an item in such a list. */
export function tiedRank(weights: ArrayLike<number>, item: number): TiedRank {
  let [above, ties] = [0, 0]
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > weights[item]) above++
    else if (weights[i] === weights[item]) ties++
  }
  return { above, ties }
}

/**
 * The exact expected reciprocal rank within the first `depth` places: 1/ties · Σ 1/r for r = above + 1 … min(above +
 * ties, depth).
 */
export function expectedReciprocal({ above, ties }: TiedRank, depth: number): number {
  let sum = 0
  for (let rank = above + 1; rank <= Math.min(above + ties, depth); rank++) sum += 1 / rank
  return sum / ties
}
