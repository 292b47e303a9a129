import { createCipheriv } from "node:crypto"
import type { Pseudonyms } from "./pseudonyms.ts"

const halfBits = 30
const halfMask = 2 ** halfBits - 1
const rounds = 8
const blockBytes = 16

/**
 * Distinct random names for numbers, without a list of the names that were drawn: number i gets the image of i under a
 * random permutation of 60 bits. The permutation is a Feistel network (Luby & Rackoff 1988) of eight rounds over two
 * halves of 30 bits. The function of a round is AES-256 of the round and a half. The key has 32 random bytes, and is
 * forgotten with the names.
 */
export function nameNumbers(key: Uint8Array, numbers: Float64Array): Pseudonyms {
  const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false)
  const count = numbers.length
  let left = new Uint32Array(new SharedArrayBuffer(count * 4))
  let right = new Uint32Array(new SharedArrayBuffer(count * 4))
  for (let i = 0; i < count; i++) {
    left[i] = Math.floor(numbers[i] / (halfMask + 1)) & halfMask
    right[i] = numbers[i] % (halfMask + 1)
  }
  const blocks = new DataView(new ArrayBuffer(count * blockBytes))
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < count; i++) {
      blocks.setUint32(i * blockBytes, round)
      blocks.setUint32(i * blockBytes + 4, right[i])
    }
    const words = cipher.update(new Uint8Array(blocks.buffer))
    for (let i = 0; i < count; i++) left[i] = (left[i] ^ words.readUInt32BE(i * blockBytes)) & halfMask
    ;[left, right] = [right, left]
  }
  return { high: left, low: right }
}
