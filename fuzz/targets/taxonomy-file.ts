import { taxonomyFrom } from "#dist/taxonomy/taxonomy.js"
import { encodeTaxonomy, readTaxonomyFile } from "#dist/taxonomy/taxonomy-file.js"
import { writeScratch } from "../support/scratch-file.ts"
import { openSectionInput } from "../support/sections.ts"
import { smallTaxonomy } from "../support/small-taxonomy.ts"
import { ensure, type FuzzTarget } from "../target.ts"

/** A taxonomy's own file, which may come from anyone: refused, or a tree. */
export const target: FuzzTarget = {
  covers: [
    "taxonomy/taxonomy-file",
    "taxonomy/taxonomy",
    "files/section-file",
    "files/column-file",
    "taxonomy/pages/page-columns",
  ],
  words: ['"name":"parent"', '"name":"page.topic"', '"bytes":', "null", "[]"],
  seeds: () => {
    const file = Buffer.concat(encodeTaxonomy(smallTaxonomy.columns))
    return [0, 1].map((byte) => Buffer.concat([Uint8Array.of(byte), file]))
  },
  check: async (input) => {
    const columns = await readTaxonomyFile(writeScratch("taxonomy", openSectionInput(input, "queryveil taxonomy\n")))
    if (columns === undefined) return
    const taxonomy = taxonomyFrom(columns)
    for (let id = 0; id < taxonomy.size; id++) {
      ensure(taxonomy.end[id] > id && taxonomy.end[id] <= taxonomy.size, "topics end within the tree")
      ensure(id === 0 || taxonomy.parent[id] < id, "parents come first")
      taxonomy.find(taxonomy.path(id))
    }
  },
}
