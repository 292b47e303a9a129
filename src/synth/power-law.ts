/** P(rank) ∝ (rank + shift)^−exponent. */
export interface PowerLawOptions {
  /** Any number except 1. */
  exponent: number
  /** Flattens the head: the first ranks are almost equally likely. */
  shift: number
  /** Upper bound of the ranks, exclusive. */
  size: number
}

/**
 * Ranks 0, 1, 2 … with a probability that falls as (rank + shift)^-exponent (Zipf–Mandelbrot). Inverts the continuous
 * law: returns the rank that belongs to a uniform number in [0, 1).
 */
export function powerLaw({ exponent, shift, size }: PowerLawOptions): (unit: number) => number {
  const power = 1 - exponent
  const low = shift ** power
  const span = (size + shift) ** power - low
  const inverse = 1 / power
  return (unit) => Math.min(size - 1, Math.floor((low + unit * span) ** inverse - shift))
}
