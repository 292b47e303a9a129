import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary, DictionaryParts } from "../../kernels/dictionary.ts"
import { runParallel } from "../../kernels/parallel.ts"
import type { WordNetColumns } from "../../wordnet/columns.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import type { QueryTerms } from "./place-terms.ts"

/** What was found in each query. */
export interface ChosenConcepts {
  /** The synset that represents the query; -1 if no word of it is a noun of WordNet. */
  concept: Int32Array
  words: Uint16Array
  /** Number of words that are part of a noun of WordNet. */
  matched: Uint16Array
  /** The most frequent sense of each noun of a query. Only with `match: "all"`. */
  terms?: QueryTerms
}

export interface ConceptShard {
  /**
   * The same for all shards of a run. A thread caches what it built from WordNet, whose buffers are new in every
   * message.
   */
  run: number
  queries: DictionaryParts
  wordnet: WordNetColumns
  match: "content" | "all"
  from: number
  to: number
}

const shardQueries = 1 << 16
let runs = 0
const worker = new URL("./choose.worker.js", import.meta.url)

/**
 * Chooses one term and one sense for each query; with `all`, lists all of its terms too. The term is the longest phrase
 * that WordNet has as a noun. Of several, it is the last, which in English is most often the head. With `content`,
 * words that have no content by themselves are skipped, since WordNet has `in` as the inch and `us` as a country. With
 * `all`, they are not skipped. The sense is the most frequent one.
 */
export async function chooseConcepts(
  queries: Dictionary,
  { wordnet, match }: { wordnet: WordNet; match: "content" | "all" },
  context: RunContext,
): Promise<ChosenConcepts> {
  const parts = queries.parts()
  const run = ++runs
  const shards = Array.from({ length: Math.ceil(queries.size / shardQueries) }, (_, i): ConceptShard => {
    const from = i * shardQueries
    const to = Math.min(queries.size, from + shardQueries)
    return { run, queries: parts, wordnet: wordnet.columns, match, from, to }
  })
  await yieldAndReport(context, { stage: "finding nouns", done: 0, total: queries.size })
  const found = await runParallel<ConceptShard, ChosenConcepts>(worker, shards, context)
  const concept = new Int32Array(queries.size)
  const words = new Uint16Array(queries.size)
  const matched = new Uint16Array(queries.size)
  found.forEach((shard, i) => {
    concept.set(shard.concept, i * shardQueries)
    words.set(shard.words, i * shardQueries)
    matched.set(shard.matched, i * shardQueries)
  })
  const terms = match === "all" ? joinTerms(found.flatMap((shard) => shard.terms ?? [])) : undefined
  return { concept, words, matched, ...(terms && { terms }) }
}

function joinTerms(shards: readonly QueryTerms[]): QueryTerms {
  const queries = shards.reduce((sum, { offsets }) => sum + offsets.length - 1, 0)
  const all = shards.reduce((sum, { synsets }) => sum + synsets.length, 0)
  const joined = { offsets: new Uint32Array(queries + 1), synsets: new Int32Array(all) }
  let at = 0
  let from = 0
  for (const { offsets, synsets } of shards) {
    joined.synsets.set(synsets, from)
    for (let query = 0; query + 1 < offsets.length; query++) joined.offsets[++at] = from + offsets[query + 1]
    from += synsets.length
  }
  return joined
}
