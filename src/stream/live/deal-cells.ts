import { createHmac } from "node:crypto"
import { keyedCells } from "../../swapper/keyed-cells.ts"
import type { SwapperOptions } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/** The key under which a store deals its cells, drawn from the store's own: names and hashes have others. */
export function dealingKey(key: Uint8Array): Buffer {
  return createHmac("sha256", key).update("queryveil dealing of cells").digest()
}

/** The chance of each cell of a store: the same after every restart. */
export function dealUnder(key: Uint8Array, taxonomy: Taxonomy): SwapperOptions["randomOfCell"] {
  return keyedCells({ key: dealingKey(key), pathOf: (topic) => taxonomy.path(topic) })
}
