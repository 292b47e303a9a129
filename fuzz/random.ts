/** Draws integers below a bound, reproducible from a seed. */
export type Draw = (below: number) => number

/** Numbers for mutation: splitmix32, whose low bits are as good as its high ones. */
export function createDraw(seed: number): Draw {
  let state = seed | 0
  return (below) => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below
  }
}
