import { tsvHeader } from "./load/tsv.ts"
import type { Taxonomy } from "./taxonomy.ts"

/**
 * A taxonomy, or the subtree of `root`, as lines of path, own support and text. `importTaxonomy` turns all lines back
 * into the same taxonomy. `levels`: how many levels below `root`.
 */
export function* taxonomyTsv(taxonomy: Taxonomy, options: { root?: number; levels?: number } = {}): Generator<string> {
  const { root = 0, levels = Number.POSITIVE_INFINITY } = options
  yield tsvHeader
  for (let id = root; id < taxonomy.end[root]; id++) {
    if (taxonomy.depth[id] > taxonomy.depth[root] + levels) continue
    const text = taxonomy.text(id).replace(/\s+/g, " ")
    if (id > 0 || taxonomy.own[id] > 0 || text !== "") yield `${taxonomy.path(id)}\t${taxonomy.own[id]}\t${text}`
  }
}
