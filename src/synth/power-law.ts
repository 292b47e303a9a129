/** P(rank) ∝ (rank + shift)^−exponent. */
export interface PowerLawOptions {
  /** Any but 1. */
  exponent: number
  /** Flattens the head: the first ranks are nearly as likely as one another. */
  shift: number
  /** Ranks are below this. */
  size: number
}

/**
 * Ranks 0, 1, 2 … with a probability falling as (rank + shift)^-exponent (Zipf–Mandelbrot), by inversion of the continuous
 * law: the rank that belongs to a uniform number in [0, 1).
 */
export function powerLaw({ exponent, shift, size }: PowerLawOptions): (unit: number) => number {
  const power = 1 - exponent
  const low = shift ** power
  const span = (size + shift) ** power - low
  const inverse = 1 / power
  return (unit) => Math.min(size - 1, Math.floor((low + unit * span) ** inverse - shift))
}
