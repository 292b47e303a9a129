import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { type Dictionary, dictionaryOf } from "#dist/kernels/dictionary.js"
import { readLog } from "#dist/log/read-log.js"
import { phraseClassifier } from "#dist/taxonomy/classify/phrase-classifier.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { createNounFinder } from "#dist/wordnet/find-nouns.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { type Bench, type Finding, rateAtLeast, ratioAtLeast } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const rows = 2_000_000
const cache = join(benchFolder, "cache")
const context = createContext({ workers: 1 })

async function distinctQueries(): Promise<Dictionary> {
  return (await readLog(logPath(rows), { cache }, context)).log.queries
}

/** Times an action in seconds of one core, including garbage collection: the target is a rate per core. */
async function timedOnCore<T>(action: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const before = process.cpuUsage()
  const value = await action()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, value }
}

const countClassified = (topics: Int32Array) => topics.filter((topic) => topic >= 0).length

/** Times splitting into words, reading them and deciding. The model is built before, as it is once per run. */
async function classify(): Promise<Finding> {
  const queries = await distinctQueries()
  const classifier = phraseClassifier(await openTaxonomy("wordnet", { cache }, context))
  await classifier.classify(dictionaryOf(["warm"]), context)
  const { seconds, value } = await timedOnCore(() => classifier.classify(queries, context))
  return { count: queries.size, seconds, classified: countClassified(value) }
}

/** Times opening WordNet and building the model, which happens once per run. */
async function prepareModel(): Promise<Finding> {
  const { seconds } = await timedOnCore(async () => {
    const classifier = phraseClassifier(await openTaxonomy("wordnet", { cache }, context))
    await classifier.classify(dictionaryOf(["dog"]), context)
  })
  return { count: 1, seconds }
}

/**
 * Every query as a string, its nouns through Maps of strings, the first sense of the last noun: less than the
 * classifier does.
 */
async function classifyPlainly(): Promise<Finding> {
  const queries = await distinctQueries()
  const wordnet = await openWordNet({ cache }, context)
  const find = createNounFinder(wordnet)
  const { seconds, value } = await timedOnCore(async () => {
    const topics = new Int32Array(queries.size).fill(-1)
    for (let id = 0; id < queries.size; id++) {
      const last = find(queries.text(id).split(" ")).at(-1)
      if (last !== undefined) topics[id] = wordnet.synsetsOf(last.lemma)[0] ?? -1
    }
    return topics
  })
  return { count: queries.size, seconds, classified: countClassified(value) }
}

export const classifyBench: Bench = {
  name: "classify",
  prepare: async () => {
    await makeLog(rows)
    await distinctQueries()
  },
  cases: [
    { name: "classify", run: classify },
    { name: "last noun, Maps of strings", run: classifyPlainly },
    { name: "open and build the model", run: prepareModel },
  ],
  targets: [rateAtLeast("classify", 300_000), ratioAtLeast("classify", "last noun, Maps of strings", 1)],
}
