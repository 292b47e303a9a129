import { type RandomSource, seededRandom } from "../kernels/random.ts"

const onsets = ["b", "br", "c", "ch", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "v"]
const vowels = ["a", "e", "i", "o", "u", "ai", "ea", "oo"]
const codas = ["", "n", "r", "s", "l", "t", "ck", "nd"]

/** Made-up words, all different, the common ones shorter; the same for the same seed. */
export function inventWords(count: number, seed: number): string[] {
  const random = seededRandom(seed)
  const words = new Set<string>()
  while (words.size < count) {
    const syllables = 1 + random.below(words.size < count / 20 ? 2 : 3)
    let word = ""
    for (let i = 0; i < syllables; i++) {
      word += onsets[random.below(onsets.length)] + vowels[random.below(vowels.length)]
    }
    words.add(word + codas[random.below(codas.length)])
  }
  return [...words]
}

/** A rank in [0, n) with probability close to 1 / (rank + 1): Zipf's law with exponent one, by inversion. */
export function zipfRank(n: number, random: RandomSource): number {
  return Math.min(n - 1, Math.floor((n + 1) ** (random.uint32() / 0x1_0000_0000)) - 1)
}
