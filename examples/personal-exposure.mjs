// Personal search: learns a profile from pages, and prints what a search engine is shown of it with an ambiguous query.
import { createContext } from "queryveil"
import {
  emptyStore,
  learnDocuments,
  openTaxonomy,
  PersonalSearch,
  sensitiveTopics,
  topicSearcher,
} from "queryveil/personal"

const context = createContext()
const taxonomy = await openTaxonomy("wordnet", {}, context)
const searcher = topicSearcher(taxonomy)
const store = emptyStore(taxonomy)

const read = ["crane and heron", "stork", "flamingo", "depression", "depression", "anxiety", "diet", "swimming"]
const documents = read.map((query) => ({ query, text: query, time: 1_772_400_000 }))
const { placed } = await learnDocuments(store.interests, documents, { searcher, context })
process.stdout.write(`read ${read.length} pages, ${placed} of them about a topic\n`)

// An illness is private. Its topic is marked sensitive, so showing it counts as risk.
const [illness] = searcher.findTopics("depression").topics
store.sensitive = sensitiveTopics(taxonomy, [[illness.topic, 1]])
process.stdout.write(`sensitive: ${taxonomy.path(illness.topic)}\n`)

// By default nothing is sent with a query that is itself about a sensitive topic, and everything that one engine is
// ever shown stays within a risk of 0.3. Both are switched off here, to see what δ alone does.
const open = { sensitiveQueries: "send", lifetimeDelta: 1 }
const search = new PersonalSearch(store, searcher)
for (const [query, delta] of [
  ["crane", 0.2],
  ["depression", 1],
  ["depression", 0.2],
]) {
  const { decision } = search.ask(query, { engine: "an engine", session: "today", delta, sessionDelta: 1, ...open })
  const { outcome, exposure, metrics } = decision
  const risk = metrics === undefined ? "" : `, risk ${metrics.risk.toFixed(2)}`
  process.stdout.write(`\n"${query}", risk at most ${delta}: ${outcome}${risk}\n`)
  for (const path of exposure.paths) if (path !== "") process.stdout.write(`  ${path}\n`)
}
