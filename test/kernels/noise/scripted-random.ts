import type { RandomSource } from "#dist/kernels/random.js"

/** A source that returns these words one after another, and fails when they are used up. */
export function scriptedRandom(words: readonly number[]): RandomSource & { left(): number } {
  let at = 0
  const uint32 = () => {
    if (at === words.length) throw new Error("no words left")
    return words[at++]
  }
  return {
    seeded: true,
    uint32,
    below: (n) => uint32() % n,
    fill: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = uint32()
    },
    left: () => words.length - at,
  }
}

/** The words of a number of 32·count bits, highest first. */
export function wordsOf(value: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Number((value >> BigInt(32 * (count - 1 - i))) & 0xffff_ffffn))
}
