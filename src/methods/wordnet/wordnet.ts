import { breathe } from "../../kernels/context.ts"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { copyColumns, selectRows } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { conceptLabel } from "../../wordnet/concept-label.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import type { Method } from "../method.ts"
import { promiseGeneralisation } from "../query-guarantees.ts"
import { auditConcepts, auditQueries, countConcepts } from "./audit.ts"
import type { ChosenConcepts } from "./choose-concepts.ts"
import { wordnetOptions } from "./options.ts"
import { generaliseQueries, placeQueries } from "./place-queries.ts"

/**
 * Generalisation by WordNet at the level of single queries, the baseline WNGEN of Carpineto & Romano 2015, §4.4.1: every
 * query becomes one concept, itself in `entity`, and parts are split along the hypernym tree while each keeps k users. A
 * query without a noun that WordNet knows stays at the root.
 *
 * Guarantee: the unit is a query text, none of which is released. Whoever reads the release, whatever they know, finds only
 * concepts, each of which stands for searches of at least k users of the log; with `counts: "queries"`, for at least k query
 * texts, which promises nothing about people. Shown by counting, here and, from the audit and the original, in the verifier.
 */
export const wordnet: Method<typeof wordnetOptions> = {
  name: "wordnet",
  summary: "generalisation: queries become WordNet concepts that stand for at least k users",
  options: wordnetOptions,
  paper: {
    counts: "queries",
    split: "greedy",
    match: "all",
    scrub: "none",
    users: "pseudonym",
    urls: "keep",
    time: "exact",
  },
  async run(log, options, context) {
    const { k, counts } = options
    const placed = await placeQueries(log, options, context)
    const { wordnet: words, chosen } = placed
    await breathe(context, { stage: "splitting", done: 0 })
    const concept = generaliseQueries(placed, options)
    await breathe(context, { stage: "splitting", done: 1, total: 1 })
    const released = log.rows > 0 && concept[log.query[0]] >= 0
    const { all, unmatched } = countWords(log, chosen)
    return {
      kind: "log",
      log: released ? generaliseLog(log, concept, words) : emptied(log),
      guarantee: promiseGeneralisation({ k, counted: log.unit, counts }),
      withheld: {
        ...(released ? {} : { "rows of a log under k": log.rows }),
        "words of all searches": all,
        "words that match no noun of WordNet": unmatched,
      },
      measured: {
        "share of words that match no noun": all === 0 ? 0 : unmatched / all,
        "queries without a noun": countUnplaced(log, chosen),
      },
      warnings: counts === "queries" && released ? [countsTexts] : [],
      audit: {
        queries: auditQueries(log, concept, words),
        concepts: auditConcepts(countConcepts(log, concept), words),
      },
    }
  },
}

const countsTexts =
  "k counted query texts, not users (--counts queries, as in the paper): a released concept may stand for the searches of one person."

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

/**
 * How many words of the searches no noun of WordNet has, repetitions included: the least that any such generalisation
 * loses (Carpineto & Romano 2015, §4.4.2).
 */
export function countWords(log: SearchLog, { words, matched }: ChosenConcepts): { all: number; unmatched: number } {
  let all = 0
  let unmatched = 0
  for (let row = 0; row < log.rows; row++) {
    if (row > 0 && log.event[row] === log.event[row - 1]) continue
    all += words[log.query[row]]
    unmatched += words[log.query[row]] - matched[log.query[row]]
  }
  return { all, unmatched }
}

/** Distinct queries that no noun of WordNet is in: they stay at the root. */
export function countUnplaced(log: SearchLog, { concept }: ChosenConcepts): number {
  const unplaced = new Set<number>()
  for (const query of log.query) if (concept[query] < 0) unplaced.add(query)
  return unplaced.size
}
