/**
 * Dₘ/m! for m = 0 … n: the numbers of derangements as shares of all permutations. Dₘ/m! = Σ (−1)^j / j! up to m. Shares
 * stay finite for every n.
 */
function derangementShares(n: number): Float64Array {
  const shares = new Float64Array(n + 1)
  let term = 1
  let sum = 0
  for (let m = 0; m <= n; m++) {
    if (m > 0) term /= -m
    sum += term
    shares[m] = sum
  }
  return shares
}

/**
 * Records of `size` users were dealt out by a uniform derangement. An insider, one of these users, knows their own
 * record and the user it was dealt to. This is the largest chance with which the insider can name the user of another
 * record, if all ways in which the users could have issued the records were equally likely to the insider before. With
 * size = k + 1 it is k · (D_k/(k − 1) + D_(k−1)/(k − 2)) / D_(k+1). Shown in docs/methods/swap.md.
 */
export function insiderChance(size: number): number {
  if (size <= 3) return 1
  const k = size - 1
  const shares = derangementShares(size)
  // D_k / D_(k+1) = share_k / (share_(k+1) · (k + 1)), and so on.
  const two = shares[k] / ((k - 1) * (k + 1))
  const three = shares[k - 1] / ((k - 2) * k * (k + 1))
  return (k * (two + three)) / shares[size]
}
