import { mixHash, stepHash } from "./dictionary.ts"

/** Secret seeds of the two halves of the hash of a user and a query. */
export interface PairSeeds {
  high: number
  low: number
}

/**
 * One half of the hash of a pair, from the `hashBytes` of its user and of its query under the same seed. For a fixed
 * value of either it is a bijection of the other, so pairs that share the user or the query collide only if the texts
 * themselves collide.
 */
export function mixPair(user: number, query: number): number {
  return mixHash(mixHash(user ^ 0x9e3779b9) ^ query)
}

/** The `hashBytes` of a text under both seeds, in one pass: high into out[at], low into out[at + 1]. */
export function hashBoth(
  bytes: Uint8Array,
  span: { start: number; end: number },
  { seeds, out, at }: { seeds: PairSeeds; out: Uint32Array; at: number },
): void {
  let { high, low } = seeds
  for (let i = span.start; i < span.end; i++) {
    high = stepHash(high, bytes[i])
    low = stepHash(low, bytes[i])
  }
  out[at] = mixHash(high)
  out[at + 1] = mixHash(low)
}

/** Both halves of the hash of a pair. */
export function hashPair(user: Uint8Array, query: Uint8Array, seeds: PairSeeds): [number, number] {
  const out = new Uint32Array(4)
  hashBoth(user, { start: 0, end: user.length }, { seeds, out, at: 0 })
  hashBoth(query, { start: 0, end: query.length }, { seeds, out, at: 2 })
  return [mixPair(out[0], out[2]), mixPair(out[1], out[3])]
}
