import { createHmac } from "node:crypto"

/** A name for a store that lasts as long as it does. It reveals nothing of the key that it is made from. */
export const storeIdentity = (key: Uint8Array): string =>
  createHmac("sha256", key).update("queryveil store identity").digest("hex").slice(0, 16)
