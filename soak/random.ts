/** Numbers that depend only on a seed: mulberry32. */
export interface Random {
  /** An integer from 0 to bound − 1. */
  below(bound: number): number
  /** True with this chance. */
  chance(share: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
}

export function seedRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (bound) => Math.floor(next() * bound),
    chance: (share) => next() < share,
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
  }
}
