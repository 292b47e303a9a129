import type { RandomSource } from "./random.ts"

/** Length of a pseudonym: `u` and twelve base32 characters (RFC 4648, lower case), 60 random bits. */
export const pseudonymBytes = 13

const alphabet = Uint8Array.from(Buffer.from("abcdefghijklmnopqrstuvwxyz234567"))

/** Distinct random pseudonyms, each as twice thirty bits, in shared memory. */
export interface Pseudonyms {
  high: Uint32Array
  low: Uint32Array
}

/** Draws pseudonyms that depend only on the random source. A name that was drawn before is drawn again. */
export function drawPseudonyms(count: number, random: RandomSource): Pseudonyms {
  const high = new Uint32Array(new SharedArrayBuffer(count * 4))
  const low = new Uint32Array(new SharedArrayBuffer(count * 4))
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, count * 2))) - 1
  const table = new Int32Array(mask + 1)
  for (let i = 0; i < count; i++) {
    let taken = true
    while (taken) {
      taken = false
      high[i] = random.uint32() >>> 2
      low[i] = random.uint32() >>> 2
      let slot = low[i] & mask
      while (table[slot] !== 0 && !taken) {
        const other = table[slot] - 1
        taken = low[other] === low[i] && high[other] === high[i]
        slot = (slot + 1) & mask
      }
      if (!taken) table[slot] = i + 1
    }
  }
  return { high, low }
}

export function writePseudonym({ high, low }: Pseudonyms, id: number, out: Uint8Array): void {
  out[0] = 117 // u
  for (let i = 0; i < 6; i++) {
    out[1 + i] = alphabet[(high[id] >>> (5 * i)) & 31]
    out[7 + i] = alphabet[(low[id] >>> (5 * i)) & 31]
  }
}
