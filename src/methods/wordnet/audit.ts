import type { Table } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { conceptLabel } from "../../wordnet/concept-label.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"

/** Counts by synset. `synsets` lists the concepts that represent at least one search. */
export interface ConceptCounts {
  synsets: number[]
  queries: Uint32Array
  events: Uint32Array
  users: Uint32Array
}

/** Counts the distinct queries, events and distinct users of each concept that represents a search. */
export function countConcepts(log: SearchLog, concept: Int32Array): ConceptCounts {
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

/** Every query that the method was given, and the concept that represents it. */
export function auditQueries(log: SearchLog, concept: Int32Array, words: WordNet): Table {
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

/** Every concept that represents a search, with its counts: Table 5 of Carpineto & Romano 2015. */
export function auditConcepts({ synsets, queries, events, users }: ConceptCounts, words: WordNet): Table {
  return {
    columns: ["concept", "queries", "events", "users"],
    rows: synsets.length,
    cell: (row, column) => {
      const synset = synsets[row]
      return [conceptLabel(words, synset), queries[synset], events[synset], users[synset]][column]
    },
  }
}
