import { Type } from "#typebox"
import { breathe } from "../../kernels/context.ts"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { copyColumns, selectRows } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { conceptLabel } from "../../wordnet/concept-label.ts"
import { openWordNet } from "../../wordnet/open-wordnet.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import type { Method } from "../method.ts"
import { promiseGeneralisation } from "../query-guarantees.ts"
import type { Table } from "../table.ts"
import { type ChosenConcepts, chooseConcepts } from "./choose-concepts.ts"
import { growConceptTree } from "./concept-tree.ts"
import { partitionTree, type TreeItems } from "./partition.ts"

/** How generalisation splits. */
export const wordnetOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "users that a concept must stand for",
  }),
})

/**
 * Generalisation by WordNet at the level of single queries, the baseline WNGEN of Carpineto & Romano 2015, §4.4.1: every
 * query becomes one concept, itself in `entity`, and parts are split along the hypernym tree while each keeps k users. A
 * query without a noun that WordNet knows stays at the root.
 *
 * Guarantee: the unit is a query text, none of which is released. Whoever reads the release, whatever he knows, finds only
 * concepts, each of which stands for searches of at least k users of the log. Shown by counting, here and, from the audit
 * and the original, in the verifier.
 */
export const wordnet: Method<typeof wordnetOptions> = {
  name: "wordnet",
  summary: "generalisation: queries become WordNet concepts that stand for at least k users",
  options: wordnetOptions,
  paper: { scrub: "none", users: "pseudonym", urls: "keep", time: "exact" },
  async run(log, { k }, context) {
    const words = await openWordNet({}, context)
    const tree = growConceptTree(words)
    const chosen = await chooseConcepts(log.queries, words, context)
    const home = chosen.concept.map((concept) => (concept < 0 ? tree.root : concept))
    await breathe(context, { stage: "splitting", done: 0 })
    const standsFor = partitionTree(tree, itemsOf(log, home), { k })
    const released = standsFor[tree.root] >= 0
    const concept = home.map((synset) => standsFor[synset])
    await breathe(context, { stage: "splitting", done: 1, total: 1 })
    const counts = countQueries(log, concept)
    return {
      kind: "log",
      log: released ? generaliseLog(log, concept, words) : emptied(log),
      guarantee: promiseGeneralisation({ k, counted: log.unit }),
      withheld: { ...(released ? {} : { "rows of a log under k": log.rows }), ...describeWords(log, chosen) },
      audit: { queries: auditQueries(log, concept, words), concepts: auditConcepts(counts, words) },
    }
  },
}

/** Where each event is and whose it is. */
export function itemsOf(log: SearchLog, home: Int32Array): TreeItems {
  const at = new Int32Array(log.events)
  const user = new Int32Array(log.events)
  for (let row = 0; row < log.rows; row++) {
    at[log.event[row]] = home[log.query[row]]
    user[log.event[row]] = log.user[row]
  }
  return { at, user, users: log.users.size }
}

/** The log with the label of its concept in place of each query. */
function generaliseLog(log: SearchLog, concept: Int32Array, words: WordNet): SearchLog {
  const synsets = [...new Set(concept)].sort((a, b) => a - b)
  const queries = dictionaryOf(synsets.map((synset) => conceptLabel(words, synset)))
  const idOf = new Int32Array(words.synsets)
  synsets.forEach((synset, id) => {
    idOf[synset] = id
  })
  const columns = copyColumns(log)
  for (let row = 0; row < log.rows; row++) columns.query[row] = idOf[concept[log.query[row]]]
  const { unit, users, urls } = log
  return closeLog(columns, { unit, users, queries, urls })
}

function emptied(log: SearchLog): SearchLog {
  const { unit, users, queries, urls } = log
  return closeLog(selectRows(log, new Uint32Array(0)), { unit, users, queries, urls })
}

/** How many words of the searches no noun of WordNet has: the least that any such generalisation loses. */
function describeWords(log: SearchLog, { words, matched }: ChosenConcepts): Record<string, number> {
  let all = 0
  let unmatched = 0
  for (let row = 0; row < log.rows; row++) {
    if (row > 0 && log.event[row] === log.event[row - 1]) continue
    all += words[log.query[row]]
    unmatched += words[log.query[row]] - matched[log.query[row]]
  }
  return { "words of all searches": all, "words that match no noun of WordNet": unmatched }
}

interface ConceptCounts {
  synsets: number[]
  queries: Uint32Array
  events: Uint32Array
  users: Uint32Array
}

/** Distinct queries, events and distinct users of each concept that stands for something. */
function countQueries(log: SearchLog, concept: Int32Array): ConceptCounts {
  const size = concept.reduce((most, synset) => Math.max(most, synset), -1) + 1
  const [queries, events, users] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]
  const seenBy = new Int32Array(size).fill(-1)
  const seen = new Uint8Array(concept.length)
  for (let row = 0; row < log.rows; row++) {
    const synset = concept[log.query[row]]
    if (synset < 0) break
    if (row === 0 || log.event[row] !== log.event[row - 1]) events[synset]++
    if (seen[log.query[row]] === 0) queries[synset]++
    seen[log.query[row]] = 1
    if (seenBy[synset] !== log.user[row]) users[synset]++
    seenBy[synset] = log.user[row]
  }
  const synsets = [...events.keys()].filter((synset) => events[synset] > 0)
  return { synsets, queries, events, users }
}

/** Every query that the method was given, and the concept that stands for it. */
function auditQueries(log: SearchLog, concept: Int32Array, words: WordNet): Table {
  const given = new Uint8Array(concept.length)
  for (const query of log.query) given[query] = 1
  const labels = new Map<number, string>([[-1, ""]])
  const labelOf = (synset: number): string => {
    const known = labels.get(synset)
    if (known !== undefined) return known
    const label = conceptLabel(words, synset)
    labels.set(synset, label)
    return label
  }
  const listed = Uint32Array.from(given.keys()).filter((query) => given[query] === 1)
  return {
    columns: ["query", "concept"],
    rows: listed.length,
    cell: (row, column) => {
      const query = listed[row]
      return column === 0 ? log.queries.text(query) : labelOf(concept[query])
    },
  }
}

function auditConcepts({ synsets, queries, events, users }: ConceptCounts, words: WordNet): Table {
  return {
    columns: ["concept", "queries", "events", "users"],
    rows: synsets.length,
    cell: (row, column) => {
      const synset = synsets[row]
      return [conceptLabel(words, synset), queries[synset], events[synset], users[synset]][column]
    },
  }
}
