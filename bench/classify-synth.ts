import { existsSync } from "node:fs"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { writeSynth } from "#dist/release/write-synth.js"
import type { Classifier } from "#dist/taxonomy/classify/classifier.js"
import { measureCoverage } from "#dist/taxonomy/classify/coverage.js"
import { evaluateClassifier } from "#dist/taxonomy/classify/evaluate.js"
import { phraseClassifier } from "#dist/taxonomy/classify/phrase-classifier.js"
import { readQueryPaths } from "#dist/taxonomy/classify/query-paths.js"
import { trainLexicon } from "#dist/taxonomy/classify/train/train-lexicon.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { type Bench, type Finding, timed } from "./case.ts"
import { benchFolder } from "./data.ts"

const rows = 1_000_000
const context = createContext()
const cache = join(benchFolder, "cache")
const logFile = join(benchFolder, `classify-${rows}.tsv`)
const truth = join(benchFolder, `classify-${rows}-truth`)

async function openTruth() {
  const taxonomy = await openTaxonomy("wordnet", { cache }, context)
  const labels = await readQueryPaths(join(truth, "topics.tsv"), { taxonomy, repeated: "first" }, context)
  const { log } = await readLog(logFile, { cache }, context)
  return { taxonomy, labels, log }
}

/** Accuracy on level 1 over distinct queries, and the share of events with a topic. */
async function judge(make: (opened: Awaited<ReturnType<typeof openTruth>>) => Promise<Classifier>): Promise<Finding> {
  const opened = await openTruth()
  const { seconds, value } = await timed(() => make(opened))
  const { levels } = await evaluateClassifier(value, opened.labels, context)
  const topics = await value.classify(opened.log.queries, context)
  const { events, classified } = measureCoverage(opened.log, topics, opened.taxonomy)
  const accuracy = levels[0]?.accuracy ?? Number.NaN
  return { count: opened.log.events, seconds, accuracy, eventsClassified: classified.events / events }
}

/**
 * The most that the words of these queries can tell: a naive Bayes classifier over words, trained on the true topics of
 * nine queries in ten and judged on the tenth.
 */
async function judgeTaught(): Promise<Finding> {
  const { taxonomy, labels } = await openTruth()
  const topicOf = (node: number) => {
    let at = node
    while ((taxonomy.depth[at] ?? 0) > 3) at = taxonomy.parent[at] ?? 0
    return at
  }
  const top = (node: number) => taxonomy.path(node).split("/")[0]
  const wordsOf = (query: number) =>
    labels.queries
      .text(query)
      .split(" ")
      .map((word) => word.replace(/^www\.|\.(com|net|org)$/g, ""))
  const counts = new Map<string, Map<number, number>>()
  const priors = new Map<number, number>()
  const raise = <K>(map: Map<K, number>, key: K) => map.set(key, (map.get(key) ?? 0) + 1)
  for (let query = 0; query < labels.queries.size; query++) {
    if (query % 10 === 0) continue
    const topic = topicOf(labels.nodes[query] ?? 0)
    raise(priors, topic)
    for (const word of wordsOf(query)) {
      const known = counts.get(word) ?? new Map<number, number>()
      counts.set(word, known)
      raise(known, topic)
    }
  }
  const taught = labels.queries.size * 0.9
  const totals = new Map([...counts].map(([word, topics]) => [word, [...topics.values()].reduce((a, b) => a + b)]))
  let right = 0
  let count = 0
  for (let query = 0; query < labels.queries.size; query += 10) {
    count++
    const words = wordsOf(query).filter((word) => counts.has(word))
    const candidates = new Set(words.flatMap((word) => [...(counts.get(word)?.keys() ?? [])]))
    let best = { topic: 0, score: Number.NEGATIVE_INFINITY }
    for (const topic of candidates) {
      const prior = (priors.get(topic) ?? 0) / taught
      let score = Math.log(prior)
      for (const word of words)
        score += Math.log(((counts.get(word)?.get(topic) ?? 0) / prior + 2) / ((totals.get(word) ?? 0) + 2))
      if (score > best.score) best = { topic, score }
    }
    if (top(best.topic) === top(labels.nodes[query] ?? 0)) right++
  }
  return { count, seconds: 1, accuracy: right / count }
}

/** How the classifier does on synthetic queries whose topics are known. Accuracies are printed only with --json. */
export const classifySynth: Bench = {
  name: "classify-synth",
  prepare: async () => {
    if (!existsSync(truth)) await writeSynth(logFile, { rows, seed: 1, truth, force: true }, context)
  },
  cases: [
    { name: "no lexicon", run: () => judge(async ({ taxonomy }) => phraseClassifier(taxonomy)) },
    {
      name: "lexicon of the log",
      run: () =>
        judge(async ({ taxonomy, log }) => phraseClassifier(taxonomy, await trainLexicon(log, taxonomy, {}, context))),
    },
    { name: "trained on the true topics", run: judgeTaught },
  ],
  targets: [],
}
