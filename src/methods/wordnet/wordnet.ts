import { yieldAndReport } from "../../kernels/context.ts"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { conceptLabel } from "../../wordnet/concept-label.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import type { Method } from "../method.ts"
import type { QueryDecision } from "../query-decision.ts"
import { generalisationGuarantee } from "../query-guarantees.ts"
import { auditConcepts, auditQueries, countConcepts } from "./audit.ts"
import type { ChosenConcepts } from "./choose-concepts.ts"
import { explainWordnet } from "./explain.ts"
import { wordnetOptions } from "./options.ts"
import { generaliseQueries, placeQueries } from "./place-queries.ts"

/**
 * Generalisation by WordNet at the level of single queries, the baseline WNGEN of Carpineto & Romano 2015, §4.4.1.
 * Every query becomes one concept of the hypernym tree under `entity`. Parts are split along the tree while each keeps
 * k users. A query without a noun that WordNet knows stays at the root.
 *
 * Guarantee: the unit is a query text, none of which is released. Whatever readers of the release know, they find only
 * concepts, each of which represents searches of at least k users of the log. With `counts: "queries"`, each represents
 * at least k query texts, which promises nothing about people. Shown by counting, here and, from the audit and the
 * original, in the verifier.
 */
export const wordnet: Method<typeof wordnetOptions> = {
  name: "wordnet",
  summary: "replace queries by WordNet concepts that stand for at least k users (generalisation)",
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
    await yieldAndReport(context, { stage: "splitting", done: 0 })
    const concept = generaliseQueries(placed, options)
    await yieldAndReport(context, { stage: "splitting", done: 1, total: 1 })
    const released = log.rows > 0 && concept[log.query[0]] >= 0
    const { all, unmatched } = countWords(log, chosen)
    return {
      kind: "queries",
      decision: released ? showConcepts(concept, words) : { released: new Uint8Array(log.queries.size) },
      guarantee: generalisationGuarantee({ k, counted: log.unit, counts }),
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
  explain: explainWordnet,
}

/** Warns that concepts were protected by counting texts. */
export const countsTexts = [
  "k counted query texts, not users (--counts queries, as in the paper).",
  "A released concept may stand for the searches of one person.",
].join(" ")

/** Shows every query as the label of its concept. */
function showConcepts(concept: Int32Array, words: WordNet): QueryDecision {
  const synsets = [...new Set(concept)].filter((synset) => synset >= 0).sort((a, b) => a - b)
  const texts = dictionaryOf(synsets.map((synset) => conceptLabel(words, synset)))
  const idOf = new Map(synsets.map((synset, id) => [synset, id]))
  const text = Int32Array.from(concept, (synset) => idOf.get(synset) ?? -1)
  return { released: Uint8Array.from(text, (id) => (id < 0 ? 0 : 1)), shown: { text, texts } }
}

/**
 * Counts the words of the searches that no noun of WordNet contains, repetitions included. This is the least that any
 * such generalisation loses (Carpineto & Romano 2015, §4.4.2).
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

/** Counts the distinct queries without a noun of WordNet. They stay at the root. */
export function countUnplaced(log: SearchLog, { concept }: ChosenConcepts): number {
  const unplaced = new Set<number>()
  for (const query of log.query) if (concept[query] < 0) unplaced.add(query)
  return unplaced.size
}
