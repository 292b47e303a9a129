/** Where one item stands in a list by falling weight, of which those of one weight are in random order. */
export interface TiedRank {
  /** How many are heavier: it is at the earliest at rank `above` + 1. */
  above: number
  /** How many weigh as much, itself among them. */
  ties: number
}

/** Where an item stands in such a list. */
export function tiedRank(weights: ArrayLike<number>, item: number): TiedRank {
  let [above, ties] = [0, 0]
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > weights[item]) above++
    else if (weights[i] === weights[item]) ties++
  }
  return { above, ties }
}

/** The expected reciprocal rank in the first `depth` places, exactly: 1/ties · Σ 1/r, r = above + 1 … min(above + ties, depth). */
export function expectedReciprocal({ above, ties }: TiedRank, depth: number): number {
  let sum = 0
  for (let rank = above + 1; rank <= Math.min(above + ties, depth); rank++) sum += 1 / rank
  return sum / ties
}
