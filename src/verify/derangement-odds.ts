/** D₀ … D_n as shares of all permutations: Dₘ/m! = Σ (−1)^j / j!, j up to m. */
function shares(n: number): Float64Array {
  const share = new Float64Array(n + 1)
  let term = 1
  for (let m = 0; m <= n; m++) {
    if (m > 0) term /= -m
    share[m] = (m === 0 ? 0 : share[m - 1]) + term
  }
  return share
}

/**
 * For a uniform derangement σ of 0 … n − 1: the chance that σ moves 0 and 1 by offsets that differ by d, modulo n.
 * Indexed by d, from 0 to n − 2. n ≥ 3.
 *
 * Let f(m, r) be the number of permutations of m places in which r places may not have their own number:
 *
 *   f(m, r) = f(m, r + 1) + f(m − 1, r),  f(m, m) = Dₘ
 *
 * Given σ(0) and σ(1), m = n − 2 places are left. r = m if 0 and 1 change places (d = n − 2). r = m − 1 if only one of
 * σ(0) = 1 and σ(1) = 0 is true; each of the two gives each d up to n − 3 once. Otherwise r = m − 2.
 */
export function pairOdds(n: number): Float64Array {
  const share = shares(n)
  const whole = share[n] * n * (n - 1)
  const first = share[n - 2] / whole // D_(n−2) / D_n, and so on
  const second = share[n - 3] / (whole * (n - 2))
  const third = n < 4 ? 0 : share[n - 4] / (whole * (n - 2) * (n - 3))
  return Float64Array.from({ length: n - 1 }, (_, d) => {
    if (d === n - 2) return first + Math.max(0, d - 1) * (first + 2 * second + third)
    const apart = Math.max(0, n - 3 - d) + Math.max(0, d - 1)
    return 2 * (first + second) + apart * (first + 2 * second + third)
  })
}

/**
 * For a uniform derangement of n: the chance that a given number is in a cycle of length ℓ, by ℓ from 2 to n. There are
 * (n − 1)!/(n − ℓ)! such cycles. Multiply by the derangements of the rest, and divide by D_n.
 */
export function cycleOdds(n: number): Float64Array {
  const share = shares(n)
  return Float64Array.from({ length: n - 1 }, (_, i) => share[n - 2 - i] / (n * share[n]))
}
