/** P(X = x) of discrete Laplace noise, as a double: (1 − a)/(1 + a) · a^|x| with a = e^(−1/scale). */
export function laplaceProbability(x: number, scale: number): number {
  return Math.tanh(0.5 / scale) * Math.exp(-Math.abs(x) / scale)
}

/** P(X ≥ t) for an integer t: a^t/(1 + a) for t ≥ 1, otherwise by symmetry. */
export function laplaceUpperTail(t: number, scale: number): number {
  if (t < 1) return 1 - laplaceUpperTail(1 - t, scale)
  return Math.exp(-t / scale) / (1 + Math.exp(-1 / scale))
}

/** Variance of discrete Laplace noise: 2a/(1 − a)² with a = e^(−1/scale). */
export function laplaceVariance(scale: number): number {
  return 0.5 / Math.sinh(0.5 / scale) ** 2
}
