// Personal search: a profile learned from what was read, and what of it a search engine is shown with a query.
import { createContext } from "queryveil"
import { emptyStore, learnDocuments, PersonalSearch, sensitiveTopics } from "queryveil/personal"
import { openTaxonomy, topicSearcher } from "queryveil/taxonomy"

const context = createContext()
const taxonomy = await openTaxonomy("wordnet", {}, context)
const searcher = topicSearcher(taxonomy)
const store = emptyStore(taxonomy)

const read = ["crane and heron", "stork nest", "flamingo", "eagle and hawk", "owl", "asthma", "asthma inhaler"]
const documents = read.map((query) => ({ query, text: query, time: 1_772_400_000 }))
const { placed } = await learnDocuments(store.interests, documents, { searcher, context })
process.stdout.write(`read ${read.length} pages, ${placed} of them about a topic\n`)

// Asthma is nobody's business: the topic that this person's pages about it fall under is marked as sensitive.
const [asthma] = searcher.relevantTopics("asthma")
store.sensitive = sensitiveTopics(taxonomy, [[asthma.topic, 1]])
process.stdout.write(`sensitive: ${taxonomy.path(asthma.topic)}\n`)

const search = new PersonalSearch(store, searcher)
for (const query of ["crane", "cold", "asthma"]) {
  for (const delta of [0.01, 0.5]) {
    const { decision } = search.ask(query, { engine: "an engine", session: "today", delta, sessionDelta: 1 })
    const { outcome, exposure, metrics } = decision
    process.stdout.write(`\n"${query}", risk at most ${delta}: ${outcome}`)
    process.stdout.write(metrics === undefined ? "\n" : `, risk ${metrics.risk.toFixed(3)}\n`)
    for (const path of exposure.paths.slice(-3)) process.stdout.write(`  ${path === "" ? "(root)" : path}\n`)
  }
}
