import { createHmac } from "node:crypto"
import type { PairSeeds } from "./pair-hash.ts"

/** Derives seeds from a secret key: the first 8 bytes of HMAC-SHA-256 of the label, as two little-endian numbers. */
export function derivePairSeeds(key: Uint8Array, label: string): PairSeeds {
  const bytes = createHmac("sha256", key).update(label).digest()
  return { high: bytes.readInt32LE(0), low: bytes.readInt32LE(4) }
}
