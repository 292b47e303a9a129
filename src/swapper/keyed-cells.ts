import { createHash } from "node:crypto"
import { keyedRandom } from "../kernels/keyed-random.ts"
import type { RandomSource } from "../kernels/random.ts"
import { type CellIdentity, cellDraws } from "./swapper.ts"

/** Length of a secret key in bytes. */
export const cellKeyBytes = 32
/** Changes whenever the same key and cell would give another dealing. */
const version = 1
const digestBytes = 32
const headBytes = digestBytes + 16

/**
 * Derives the randomness of each cell from a secret key, its category, its number and the positions of its members. So
 * the same input is dealt in the same way after a crash, in a log and in a stream. To anyone without the key it is as
 * good as true randomness (docs/methods/swap.md).
 *
 * `keyedRandom` starts from this message: SHA-256 of the category's path, then 64-bit little-endian numbers. These are
 * what is drawn (0 members, 1 dealing), the number of the cell, and the positions. The version is part of the keys.
 */
export function keyedCells(options: {
  key: Uint8Array
  /** The path of a category: its name wherever the key is used. */
  pathOf(category: number): string
  /** True if the key can be drawn again. */
  seeded?: boolean
}): (cell: CellIdentity) => RandomSource {
  const { key, pathOf, seeded = false } = options
  const random = keyedRandom(key, { label: `queryveil cells ${version}`, seeded })
  const digests = new Map<number, Uint8Array>()
  let message = Buffer.alloc(headBytes)

  const digestOf = (category: number) => {
    const known = digests.get(category)
    if (known !== undefined) return known
    const digest = createHash("sha256").update(pathOf(category)).digest()
    digests.set(category, digest)
    return digest
  }

  return ({ category, number, draw, positions }) => {
    const length = headBytes + positions.length * 8
    if (length > message.length) message = Buffer.alloc(length * 2)
    message.set(digestOf(category))
    writeWhole(message, cellDraws.indexOf(draw), digestBytes)
    writeWhole(message, number, digestBytes + 8)
    for (let i = 0; i < positions.length; i++) writeWhole(message, positions[i], headBytes + i * 8)
    random.reseed(message.subarray(0, length))
    return random
  }
}

/** Writes a whole number below 2⁵³ as 64 bits. */
function writeWhole(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32LE(value >>> 0, at)
  bytes.writeUInt32LE(Math.floor(value / 0x1_0000_0000), at + 4)
}
