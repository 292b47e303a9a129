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
 * Of a uniform derangement σ of 0 … n − 1, the chance that σ moves 0 and 1 by offsets that differ by d, modulo n: by d from
 * 0 to n − 2. n ≥ 3.
 *
 * With r of m places forbidden their own number there are f(m, r) = f(m, r + 1) + f(m − 1, r) permutations, f(m, m) = Dₘ.
 * When σ(0) and σ(1) are given, m = n − 2 are left, and forbidden to all of them if 0 and 1 change places (d = n − 2), to
 * all but one if one of σ(0) = 1 and σ(1) = 0 holds (each d up to n − 3 once by each), else to all but two.
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
 * Of a uniform derangement of n, the chance that a given number lies in a cycle of ℓ, by ℓ from 2 to n: (n − 1)!/(n − ℓ)!
 * cycles, times the derangements of the rest, over D_n.
 */
export function cycleOdds(n: number): Float64Array {
  const share = shares(n)
  return Float64Array.from({ length: n - 1 }, (_, i) => share[n - 2 - i] / (n * share[n]))
}
