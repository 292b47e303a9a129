import { shareByTexts } from "../../kernels/cache-by.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { runParallel, streamParallel } from "../../kernels/parallel.ts"
import { type TokenisedQueries, tokeniseQueries } from "../../text/tokens.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { Classifier } from "./classifier.ts"
import type { QueryShard } from "./classify-shard.ts"
import type { LexiconColumns } from "./lexicon.ts"
import { buildModel, type ClassifierModel } from "./model.ts"
import type { WordReadings } from "./reading-list.ts"
import { joinReadings, type WordShard } from "./word-readings.ts"

const shardWords = 1 << 16
const shardQueries = 1 << 17
const wordsWorker = new URL("./words.worker.js", import.meta.url)
const classifyWorker = new URL("./classify.worker.js", import.meta.url)

/**
 * The built-in classifier. It uses the phrases that name topics, the words of their texts and, with a lexicon, what a
 * log taught. A query has the same topic under the same taxonomy and lexicon, whatever the log.
 */
export function phraseClassifier(taxonomy: Taxonomy, lexicon?: LexiconColumns): Classifier {
  let model: ClassifierModel | undefined
  return {
    taxonomy,
    portable() {
      model ??= buildModel(taxonomy, lexicon)
      return { kind: "phrases", model }
    },
    async classify(queries, context) {
      const find = async () => {
        model ??= buildModel(taxonomy, lexicon)
        return classifyTokens(model, await tokeniseQueries(queries, {}, context), context)
      }
      return lexicon === undefined ? shareTopics(taxonomy)(queries, { context }, find) : find()
    },
  }
}

const shared = new WeakMap<Taxonomy, ReturnType<typeof shareByTexts<Int32Array>>>()

/** The topics that the classifier without a lexicon found, by taxonomy. */
function shareTopics(taxonomy: Taxonomy) {
  const share = shared.get(taxonomy) ?? shareByTexts<Int32Array>()
  shared.set(taxonomy, share)
  return share
}

export async function classifyTokens(
  model: ClassifierModel,
  { words, offsets, tokens }: TokenisedQueries,
  context: RunContext,
): Promise<Int32Array> {
  const readings = await readAllWords(model, words, context)
  const queries = offsets.length - 1
  const topics = new Int32Array(new SharedArrayBuffer(queries * 4))
  const shards = ranges(queries, shardQueries).map((range): QueryShard => {
    return { model, readings, offsets, tokens, topics, ...range }
  })
  let done = 0
  for await (const count of streamParallel<QueryShard, number>(classifyWorker, shards, context)) {
    done += count
    await yieldAndReport(context, { stage: "classifying", done, total: queries })
  }
  return topics
}

async function readAllWords(model: ClassifierModel, words: Dictionary, context: RunContext): Promise<WordReadings> {
  const parts = words.parts()
  const shards = ranges(words.size, shardWords).map((range): WordShard => ({ words: parts, model, ...range }))
  context.report({ stage: "reading words", done: 0, total: words.size })
  return joinReadings(await runParallel<WordShard, WordReadings>(wordsWorker, shards, context))
}

const ranges = (size: number, step: number) =>
  Array.from({ length: Math.ceil(size / step) }, (_, i) => ({ from: i * step, to: Math.min(size, (i + 1) * step) }))
