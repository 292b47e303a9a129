import { createHash } from "node:crypto"
import { keyedRandom } from "../kernels/keyed-random.ts"
import type { RandomSource } from "../kernels/random.ts"
import type { DealingSecret } from "./dealing-secret.ts"
import { type CellIdentity, cellDraws } from "./swapper.ts"

/** Changes whenever the same secret and cell would give another dealing. */
const derivation = 2
const digestBytes = 32
const headBytes = digestBytes + 16

/**
 * Derives the randomness of each cell from a secret, its category, its number and the positions of its members. So the
 * same input is dealt in the same way after a crash, on another machine, in a log and in a stream. To anyone without
 * the secret it is as good as true randomness (docs/methods/swap.md).
 *
 * `keyedRandom` starts from this message: SHA-256 of the category's path; then what is drawn (0 members, 1 dealing) and
 * the number of the cell, as 64-bit little-endian numbers; then the words of the positions, as 32-bit little-endian
 * numbers. The version of the secret is part of the label, and so of the keys.
 */
export function keyedCells(options: {
  secret: DealingSecret
  /** The path of a category: its name wherever the secret is used. */
  pathOf(category: number): string
  /** True if the secret can be drawn again. */
  seeded?: boolean
}): (cell: CellIdentity) => RandomSource {
  const { secret, pathOf, seeded = false } = options
  const label = `queryveil cells ${derivation}, secret ${secret.version}`
  const random = keyedRandom(secret.key, { label, seeded })
  const digests = new Map<number, Uint8Array>()
  let message = new Uint8Array(headBytes)
  let view = new DataView(message.buffer)

  const digestOf = (category: number) => {
    const known = digests.get(category)
    if (known !== undefined) return known
    const digest = createHash("sha256").update(pathOf(category)).digest()
    digests.set(category, digest)
    return digest
  }

  return ({ category, number, draw, positions }) => {
    const length = headBytes + positions.length * 4
    if (length > message.length) {
      message = new Uint8Array(length * 2)
      view = new DataView(message.buffer)
    }
    message.set(digestOf(category))
    writeWhole(view, cellDraws.indexOf(draw), digestBytes)
    writeWhole(view, number, digestBytes + 8)
    for (let i = 0; i < positions.length; i++) view.setUint32(headBytes + i * 4, positions[i], true)
    random.reseed(message.subarray(0, length))
    return random
  }
}

/** Writes a whole number below 2⁵³ as 64 bits. */
function writeWhole(view: DataView, value: number, at: number): void {
  view.setUint32(at, value >>> 0, true)
  view.setUint32(at + 4, Math.floor(value / 0x1_0000_0000), true)
}
