import { createHmac } from "node:crypto"

/** Public name of a store, derived from its key. It says nothing about the key. */
export function storeName(key: Uint8Array): string {
  return createHmac("sha256", key).update("queryveil name of a store").digest("hex").slice(0, 16)
}
