import { createHmac } from "node:crypto"
import type { PairSeeds } from "../../kernels/pair-hash.ts"
import { derivePairSeeds } from "../../kernels/pair-seeds.ts"
import { type DealingSecret, firstSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import type { StoreFacts } from "./store-facts.ts"

/** The secrets that a store derives from its key. */
export interface StoreSecrets {
  /** The secret under which its cells are dealt. It does not reveal the key of the store. */
  dealing: DealingSecret
  /** Seeds of the hash of a user and a query. It tells whether the pair was released, and is part of a position. */
  seeds: PairSeeds
}

/**
 * Derives the secrets of a store. The seeds follow from the dealing secret, so that its holder can compute positions. A
 * store that was begun by an earlier version keeps the seeds under which it hashed the pairs that it released.
 */
export function secretsOf({ key, dealing: since }: Pick<StoreFacts, "key" | "dealing">): StoreSecrets {
  const own = Buffer.from(key, "hex")
  const dealing = firstSecret(createHmac("sha256", own).update("queryveil dealing of cells").digest())
  return { dealing, seeds: since === undefined ? derivePairSeeds(own, "released pairs") : positionSeeds(dealing) }
}
