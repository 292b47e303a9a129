/**
 * D₀ … D_n over n!, as shares of all permutations: Dₘ/m! = Σ (−1)^j / j! up to m. As shares they stay finite for every n.
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
 * The largest chance with which one of `size` users, among whom records were dealt by a uniform derangement, can name the
 * user of another's record, when each way to have issued them was equally likely to him before: he knows his own record
 * and to whom it was dealt. With size = k + 1: k · (D_k/(k − 1) + D_(k−1)/(k − 2)) / D_(k+1). Shown in docs/methods/swap.md.
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
