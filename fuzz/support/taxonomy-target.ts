import { createContext } from "#dist/kernels/context.js"
import type { ImportFormat } from "#dist/taxonomy/load/formats.js"
import { importTaxonomy } from "#dist/taxonomy/load/import-taxonomy.js"
import { taxonomyFrom } from "#dist/taxonomy/taxonomy.js"
import { encodeTaxonomy, readTaxonomyFile } from "#dist/taxonomy/taxonomy-file.js"
import { taxonomyTsv } from "#dist/taxonomy/taxonomy-tsv.js"
import { ensure, type FuzzTarget } from "../target.ts"
import { writeScratch } from "./scratch-file.ts"

const context = createContext({ workers: 1 })

/**
 * A target for a format of taxonomies: what is read can be stored in a file and written as TSV, and is then the same
 * tree.
 */
export function taxonomyTarget(
  format: ImportFormat,
  { words, seeds }: { words: readonly string[]; seeds: readonly string[] },
): FuzzTarget {
  return {
    covers: ["taxonomy/load/", "taxonomy/assemble-tree", "taxonomy/path", "taxonomy/taxonomy-file", "taxonomy/pages/"],
    words: ["\t", "\n", "\r\n", "/", "%2F", "%25", "é", "\x01", "\u{feff}", ...words],
    seeds: () => seeds,
    check: async (input) => {
      const lenient = input.length % 2 === 1
      const { columns } = await importTaxonomy([writeScratch("topics", input)], { format, lenient }, context)
      const taxonomy = taxonomyFrom(columns)
      for (let id = 0; id < taxonomy.size; id++)
        ensure(taxonomy.find(taxonomy.path(id)) === id, "every topic is found by its path")
      const kept = await readTaxonomyFile(writeScratch("kept", Buffer.concat(encodeTaxonomy(columns))))
      ensure(kept !== undefined && kept.parent.length === taxonomy.size, "a taxonomy is read from its own file")
      const lines = [...taxonomyTsv(taxonomy)]
      if (lines.length < 2) return
      const tsv = writeScratch("tsv", Buffer.from(`${lines.join("\n")}\n`))
      const again = taxonomyFrom((await importTaxonomy([tsv], { format: "tsv", makesParents: true }, context)).columns)
      ensure([...taxonomyTsv(again)].join("\n") === lines.join("\n"), "a taxonomy written as TSV is read as the same")
    },
  }
}
