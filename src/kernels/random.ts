import { randomFillSync } from "node:crypto"

/** A source of uniform 32-bit words. `seeded` sources can be repeated and must never protect a published release. */
export interface RandomSource {
  readonly seeded: boolean
  /** A uniform integer in [0, 2³²). */
  uint32(): number
  /** A uniform integer in [0, n), 1 ≤ n ≤ 2³². */
  below(n: number): number
  /** Fills the array with uniform integers in [0, 2³²). */
  fill(out: Uint32Array): void
}

/**
 * Uniform in [0, n) from uniform 32-bit words, without bias: words in the last, incomplete run of n are drawn again.
 */
export function boundedBelow(next: () => number, n: number): number {
  const limit = 0x1_0000_0000 - (0x1_0000_0000 % n)
  for (;;) {
    const word = next()
    if (word < limit) return word % n
  }
}

/** Randomness from `node:crypto`, drawn a page at a time. */
export function cryptoRandom(): RandomSource {
  const page = new Uint32Array(16384)
  let at = page.length
  const uint32 = () => {
    if (at === page.length) {
      randomFillSync(page)
      at = 0
    }
    return page[at++]
  }
  return {
    seeded: false,
    uint32,
    below: (n) => boundedBelow(uint32, n),
    fill: (out) => {
      randomFillSync(out)
    },
  }
}

/**
 * A repeatable source for studies, tests and benches: xoshiro128** (Blackman & Vigna 2018). splitmix32 spreads the seed
 * over its state.
 */
export function seededRandom(seed: number): RandomSource {
  let spread = seed >>> 0
  const splitmix = () => {
    spread = (spread + 0x9e3779b9) >>> 0
    let z = spread
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
  // Seeds over 32 bits differ too: the upper half enters the state in a second round.
  let a = splitmix()
  let b = splitmix()
  spread = (spread ^ Math.floor(seed / 0x1_0000_0000)) >>> 0
  let c = splitmix()
  let d = splitmix() | 1
  const uint32 = () => {
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result
  }
  return {
    seeded: true,
    uint32,
    below: (n) => boundedBelow(uint32, n),
    fill: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = uint32()
    },
  }
}

/** A seeded source that restarts cheaply: one serves many users, each with a key of their own. */
export interface SeededStream {
  /** Restarts. The numbers that follow depend only on these three words. */
  reseed(seed: number, key: number, part: number): void
  /** A uniform integer in [0, 2³²). */
  uint32(): number
  /** Uniform in [0, 1), in steps of 2⁻³². */
  unit(): number
  /** An integer in [0, n). Its bias is at most n / 2³², so it is for synthetic data only. */
  below(n: number): number
}

/** xoshiro128** as in `seededRandom`, with its state in place. It must not protect people. */
export function seededStream(): SeededStream {
  const state = new Int32Array(4)
  const uint32 = () => {
    const b = state[1]
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const c = state[2] ^ state[0]
    const d = state[3] ^ b
    state[1] = b ^ c
    state[0] ^= d
    state[2] = c ^ (b << 9)
    state[3] = (d << 11) | (d >>> 21)
    return result
  }
  return {
    reseed: (seed, key, part) => {
      let word = mixWords(mixWords(seed, Math.floor(seed / 0x1_0000_0000)), mixWords(key, part))
      for (let i = 0; i < 4; i++) {
        word = mixWords(word, 0x9e3779b9 + i)
        state[i] = word
      }
      state[3] |= 1 // never all zero
    },
    uint32,
    unit: () => uint32() * 2 ** -32,
    below: (n) => Math.floor(uint32() * 2 ** -32 * n),
  }
}

/** A 32-bit word mixed from two, so that neighbours have nothing in common (finalisers of Murmur3 and splitmix32). */
export function mixWords(a: number, b: number): number {
  let h = Math.imul(b ^ (b >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  h = (h ^ (h >>> 16)) + a + 0x9e3779b9
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return (h ^ (h >>> 15)) >>> 0
}

/** Uniform random order of `items`, in place (Fisher–Yates). */
export function shuffle(items: Uint32Array, random: RandomSource): void {
  shuffleFirst(items, items.length, random)
}

/** Uniform random order of the first `count` items, in place. */
export function shuffleFirst(items: Uint32Array | Int32Array, count: number, random: RandomSource): void {
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const held = items[i]
    items[i] = items[j]
    items[j] = held
  }
}
