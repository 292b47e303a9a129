import { createContext } from "#dist/kernels/context.js"
import { type TopicSearcher, topicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { importTaxonomy } from "#dist/taxonomy/load/import-taxonomy.js"
import { type Taxonomy, taxonomyFrom } from "#dist/taxonomy/taxonomy.js"
import { scratchFolder } from "../support/scratch-folder.ts"

/** After Fig. 2 and Table 2 of Shou et al. 2014: own supports on the leaves, and a few words about each topic. */
const rows = [
  "Adults\t10\tfor grown people only",
  "Arts\t0\tpictures and sounds",
  "Arts/Music\t0\tsongs and concerts",
  "Arts/Music/Artists\t0\tbands and singers",
  "Arts/Music/Artists/Eagles\t20\trock band, hotel california, guitar songs",
  "Arts/Music/Artists/Queen\t20\trock band, opera, guitar songs",
  "Arts/Music/Instrument\t0\tto play music on",
  "Arts/Music/Instrument/Harmonica\t5\tblues harp with reeds",
  "Arts/Music/Instrument/Piano\t15\tkeys and strings",
  "Science\t0\tknowledge of nature",
  "Science/Birds\t0\tfeathered animals",
  "Science/Birds/Eagles\t10\tlarge raptor with talons, nest and wings",
  "Science/Birds/Owls\t10\traptor of the night, wings",
  "Sports\t0\tgames and contests",
  "Sports/Football\t0\tteams and a ball",
  "Sports/Football/Eagles\t40\tphiladelphia team of the league, quarterback and touchdown",
  "Sports/Football/Giants\t40\tnew york team of the league, quarterback and touchdown",
  "Sports/Ice skating\t0\ton ice",
  "Sports/Ice skating/Figure\t15\tjumps and pirouettes on ice",
  "Sports/Ice skating/Speed\t15\trace on ice",
]

/** Call it at the top of a test file, because it makes a folder. */
export function sampleTree(): { open: () => Promise<Taxonomy>; searcher: () => Promise<TopicSearcher>; path: string } {
  const path = scratchFolder().write(`${rows.join("\n")}\n`, "topics.tsv")
  const open = async () => taxonomyFrom((await importTaxonomy([path], {}, createContext({ workers: 1 }))).columns)
  return { path, open, searcher: async () => topicSearcher(await open()) }
}
