import { createHmac } from "node:crypto"
import { hashBytes, mixHash } from "../../kernels/dictionary.ts"

/** Secret starts of the two halves of a pair's hash. */
export interface PairSeeds {
  high: number
  low: number
}

export function pairSeeds(key: Uint8Array): PairSeeds {
  const bytes = createHmac("sha256", key).update("released pairs").digest()
  return { high: bytes.readInt32LE(0), low: bytes.readInt32LE(4) }
}

/**
 * One half of the hash of a pair, from the `hashBytes` of its user and of its query under the same seed. For either given it
 * is a bijection of the other, so that only texts that collide themselves make pairs collide.
 */
export function mixPair(user: number, query: number): number {
  return mixHash(mixHash(user ^ 0x9e3779b9) ^ query)
}

/** Both halves, for texts that were not hashed yet. */
export function hashPair(user: Uint8Array, query: Uint8Array, seeds: PairSeeds): [number, number] {
  const half = (seed: number) => mixPair(hashBytes(user, 0, user.length, seed), hashBytes(query, 0, query.length, seed))
  return [half(seeds.high), half(seeds.low)]
}
