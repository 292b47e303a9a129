const tiny = 1e-300

/**
 * b₀ + a₁/(b₁ + a₂/(b₂ + …)) by the modified method of Lentz (Thompson & Barnett 1986), until a step changes nothing.
 * `term(i)` returns aᵢ and bᵢ for i ≥ 1.
 */
export function continuedFraction(b0: number, term: (i: number) => readonly [a: number, b: number]): number {
  let value = b0 === 0 ? tiny : b0
  let c = value
  let d = 0
  for (let i = 1; ; i++) {
    const [a, b] = term(i)
    d = b + a * d
    d = 1 / (d === 0 ? tiny : d)
    c = b + a / c
    if (c === 0) c = tiny
    const step = c * d
    value *= step
    if (!(Math.abs(step - 1) > 4 * Number.EPSILON)) return value
  }
}
