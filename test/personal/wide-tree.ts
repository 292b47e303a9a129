import { createContext } from "#dist/kernels/context.js"
import { type TopicSearcher, topicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { importTaxonomy } from "#dist/taxonomy/load/import-taxonomy.js"
import { taxonomyFrom } from "#dist/taxonomy/taxonomy.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const areas = ["Art", "Body", "City", "Deed", "Earth", "Food", "Game", "House", "Idea", "Job", "Kin", "Law"]
/** Each word names a topic in three areas, so a query for it may mean any of them. */
export const words = ["jay", "kite", "lark", "moth", "newt", "orca", "puma", "quail", "rook", "seal", "toad", "vole"]

const leaves = words.flatMap((word, i) =>
  [0, 1, 3].map((step, place) => `${areas[(i + step) % areas.length]}/Part ${place}/${word}`),
)

/** Ten of the 36 leaves, in ten areas. */
export const tenTopics = leaves.filter((_, i) => i % 3 === 2).slice(0, 10)

/**
 * Call it at the top of a test file. 12 areas with three leaves each, and much besides them, so that the root reveals
 * little.
 */
export async function wideTree(): Promise<TopicSearcher> {
  const rows = [
    ...areas.flatMap((area) => [`${area}\t40\t`, ...[0, 1, 2].map((part) => `${area}/Part ${part}\t20\t`)]),
    ...leaves.map((path) => `${path}\t10\t`),
    "Rest\t2000\t",
  ]
  const path = scratchFolder().write(`${rows.join("\n")}\n`, "wide.tsv")
  const { columns } = await importTaxonomy([path], {}, createContext({ workers: 1 }))
  return topicSearcher(taxonomyFrom(columns))
}
