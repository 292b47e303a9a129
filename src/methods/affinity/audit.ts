import type { Table } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ExpandedLog } from "./affinity-graph.ts"
import type { ApproximateDegrees } from "./approximate-release.ts"
import { queryStates } from "./expand-queries.ts"

/** Every query that the method was given, with its users and its degree before any query was left out for a name. */
export function auditDegrees(log: SearchLog, { counts, expanded }: ExpandedLog, degrees: Uint32Array): Table {
  const listed = new Uint32Array(degrees.length)
  let rows = 0
  for (let query = 0; query < degrees.length; query++) if (counts.users[query] > 0) listed[rows++] = query
  return {
    columns: ["query", "users", "degree", "state"],
    rows,
    cell: (row, column) => {
      const query = listed[row]
      if (column === 0) return log.queries.text(query)
      if (column === 3) return queryStates[expanded.state[query]]
      return column === 1 ? counts.users[query] : degrees[query]
    },
  }
}

/** The queries that were examined, with their degrees or lower bounds. */
export function auditApproximateDegrees(
  log: SearchLog,
  { counts, expanded }: ExpandedLog,
  { listed, degrees, isBound }: ApproximateDegrees,
): Table {
  const queries: number[] = []
  listed.forEach((mark, query) => {
    if (mark === 1) queries.push(query)
  })
  return {
    columns: ["query", "users", "degree", "state", "bound"],
    rows: queries.length,
    cell: (row, column) => {
      const query = queries[row]
      if (column === 0) return log.queries.text(query)
      if (column === 3) return queryStates[expanded.state[query]]
      if (column === 4) return isBound[query] === 1 ? "lower" : "exact"
      return column === 1 ? counts.users[query] : degrees[query]
    },
  }
}

/** Every concept, with how often it occurs, its users and its weight. */
export function auditConcepts({ tokens, concepts }: Pick<ExpandedLog, "tokens" | "concepts">): Table {
  const { ngrams, conceptOf, weight, size } = concepts
  const lengthOf = new Uint8Array(size)
  const ngramOf = new Uint32Array(size)
  conceptOf.forEach((ids, i) => {
    for (let ngram = 0; ngram < ids.length; ngram++) {
      if (ids[ngram] < 0) continue
      lengthOf[ids[ngram]] = i
      ngramOf[ids[ngram]] = ngram
    }
  })
  const textOf = (i: number, ngram: number): string => {
    const word = tokens.words.text(ngrams[i].last[ngram])
    return i === 0 ? word : `${textOf(i - 1, ngrams[i].prefix[ngram])} ${word}`
  }
  return {
    columns: ["ngram", "n", "count", "users", "weight"],
    rows: size,
    cell: (row, column) => {
      const [i, ngram] = [lengthOf[row], ngramOf[row]]
      if (column === 0) return textOf(i, ngram)
      if (column === 1) return i + 1
      if (column === 2) return ngrams[i].occurrences[ngram]
      return column === 3 ? ngrams[i].users[ngram] : weight[row]
    },
  }
}
