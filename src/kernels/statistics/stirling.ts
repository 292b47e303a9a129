const halfLogTau = 0.5 * Math.log(2 * Math.PI)

/**
 * The error of Stirling's formula: log Γ(x + 1) − (x + ½) log x + x − ½ log 2π, for x > 0. From 15 on it is the
 * asymptotic series, whose first omitted term is below 1e-17. Below 15, the recurrence leads up to there.
 */
function stirlingError(x: number): number {
  let product = 1
  let y = x
  while (y < 15) {
    y++
    product *= y
  }
  const z = 1 / (y * y)
  const series =
    (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - z * (691 / 360360 - z / 156)))))) / y
  if (y === x) return series
  // log Γ(x + 1) = log Γ(y + 1) − log((x + 1) … y)
  return series + (y + 0.5) * Math.log(y) - y - Math.log(product) - (x + 0.5) * Math.log(x) + x
}

/**
 * x log(x / mean) − x + mean, without cancellation near x = mean. Loader 2000, "Fast and accurate computation of
 * binomial probabilities".
 */
function deviance(x: number, mean: number): number {
  const difference = x - mean
  if (Math.abs(difference) >= 0.1 * (x + mean)) return x * Math.log(x / mean) - difference
  const v = difference / (x + mean)
  let sum = difference * v
  let term = 2 * x * v
  for (let j = 3; ; j += 2) {
    term *= v * v
    const next = sum + term / j
    if (!(Math.abs(next - sum) > 0)) return next
    sum = next
  }
}

/** mean^x e^−mean / Γ(x + 1): the Poisson probability, for real x > 0, precise in its tails. */
export function poissonDensity(x: number, mean: number): number {
  return Math.exp(-stirlingError(x) - deviance(x, mean) - halfLogTau - 0.5 * Math.log(x))
}

/** Γ(a + b + 1) / (Γ(a + 1) Γ(b + 1)) x^a y^b with x + y = 1: the binomial probability, for real a, b > 0. */
export function binomialDensity({ x, y, a, b }: { x: number; y: number; a: number; b: number }): number {
  const n = a + b
  const log = stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x) - deviance(b, n * y)
  return Math.exp(log - halfLogTau + 0.5 * Math.log(n / a / b))
}
