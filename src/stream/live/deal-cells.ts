import { createHmac } from "node:crypto"
import { keyedCells } from "../../swapper/keyed-cells.ts"
import type { SwapperOptions } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/** The key under which a store deals its cells, derived from the store's own key. Names and hashes have other keys. */
export function dealingKey(key: Uint8Array): Buffer {
  return createHmac("sha256", key).update("queryveil dealing of cells").digest()
}

/** The random source of each cell of a store. It is the same after every restart. */
export function dealUnder(key: Uint8Array, taxonomy: Taxonomy): SwapperOptions["randomOfCell"] {
  return keyedCells({ key: dealingKey(key), pathOf: (topic) => taxonomy.path(topic) })
}
