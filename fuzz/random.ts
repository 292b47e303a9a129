/** Whole numbers below a bound, repeatable from a seed (xorshift32). */
export type Draw = (below: number) => number

/** Numbers for mutation: fast, and good enough for it. */
export function createDraw(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
