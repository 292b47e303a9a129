import { breathe, type RunContext } from "../../kernels/context.ts"
import type { Dictionary, DictionaryParts } from "../../kernels/dictionary.ts"
import { runParallel } from "../../kernels/parallel.ts"
import type { WordNetColumns } from "../../wordnet/columns.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"

/** What was found in each query. */
export interface ChosenConcepts {
  /** The synset that stands for the query, -1 where no word of it is a noun of WordNet. */
  concept: Int32Array
  words: Uint16Array
  /** Words that are part of a noun of WordNet. */
  matched: Uint16Array
}

export interface ConceptShard {
  /** The same for all shards of a run: a thread keeps what it made of WordNet, whose buffers are new with every message. */
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
 * One term and one sense for each query. The term is the longest phrase that WordNet has as a noun, the last of several,
 * which in English is most often the head. With `content`, words without content by themselves are passed over, since
 * WordNet has `in` as the inch and `us` as a country; with `all` they are not. The sense is the most frequent one.
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
  await breathe(context, { stage: "finding nouns", done: 0, total: queries.size })
  const found = await runParallel<ConceptShard, ChosenConcepts>(worker, shards, context)
  const concept = new Int32Array(queries.size)
  const words = new Uint16Array(queries.size)
  const matched = new Uint16Array(queries.size)
  found.forEach((shard, i) => {
    concept.set(shard.concept, i * shardQueries)
    words.set(shard.words, i * shardQueries)
    matched.set(shard.matched, i * shardQueries)
  })
  return { concept, words, matched }
}
