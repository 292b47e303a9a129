import { mixWords } from "../kernels/random.ts"

const bytesOf = (text: string) => text.split(" ").map((part) => Buffer.from(part === "-" ? "" : part))

const onsets = bytesOf("b br c ch cl d dr f fl g gr h j k kr l m n p pl pr qu r s sch sh sl st t th tr v w z")
const vowels = bytesOf("a a a e e e i i i o o o u u ai ea ee ia oo y")
const codas = bytesOf("- - - - n n r r s l t m ck nd x ng rt ss ll st")
const townEnds = bytesOf("ville ton burg field port wood haven ford dale brook land ridge")

function put(out: Uint8Array, at: number, part: Uint8Array): number {
  for (let i = 0; i < part.length; i++) out[at + i] = part[i]
  return at + part.length
}

/**
 * Writes the coined word of a key of two 32-bit words. Small keys with `high` 0 give shorter words. Returns the end.
 */
export function coinWord(out: Uint8Array, at: number, low: number, high: number): number {
  const bits = mixWords(low, high)
  const syllables = high === 0 && low < 4096 ? 2 : 2 + (bits % 8 < 5 ? 1 : 0) + (bits % 8 === 0 ? 2 : 0)
  return spell(out, at, { key: bits, low, syllables })
}

/** Writes a coined name of three or four syllables, so that hardly two of millions are the same. Returns the end. */
export function coinName(out: Uint8Array, at: number, low: number, high: number): number {
  const key = mixWords(low, high)
  return spell(out, at, { key, low, syllables: key % 4 === 0 ? 4 : 3 })
}

function spell(out: Uint8Array, at: number, word: { key: number; low: number; syllables: number }): number {
  const { key, low, syllables } = word
  let bits = key >>> 3
  let next = mixWords(key, low)
  let end = at
  for (let i = 0; i < syllables; i++) {
    end = put(out, end, onsets[bits % onsets.length])
    end = put(out, end, vowels[(bits >>> 8) % vowels.length])
    if (i === syllables - 1 || (bits >>> 20) % 4 === 0) end = put(out, end, codas[(bits >>> 16) % codas.length])
    bits = next
    next = mixWords(next, i)
  }
  return end
}

/** Writes the name of an invented town. Returns the end. */
export function coinTown(out: Uint8Array, at: number, id: number): number {
  const bits = mixWords(id, 0x746f776e)
  let end = put(out, at, onsets[bits % onsets.length])
  end = put(out, end, vowels[(bits >>> 8) % vowels.length])
  end = put(out, end, codas[4 + ((bits >>> 16) % (codas.length - 4))])
  return put(out, end, townEnds[(bits >>> 24) % townEnds.length])
}
