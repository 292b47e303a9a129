import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { seededRandom } from "#dist/kernels/random.js"
import { evaluateRanking, rankingMeasures } from "#dist/kernels/retrieval/evaluate-ranking.js"
import { rankDocuments } from "#dist/kernels/retrieval/rank-documents.js"
import type { OutEdges } from "#dist/kernels/retrieval/walk-graph.js"
import { findJudged } from "#dist/measures/retrieval/fold-tests.js"
import type { Finding } from "../case.ts"
import { bestOf, type Comparison, differenceAtMost } from "./comparison.ts"
import { askPeer, peersFolder } from "./python.ts"

const topics = 10_000
const listed = 100
const documents = 20_000

interface Answers {
  /** What is listed for topic t and its score: [t · listed, (t + 1) · listed). */
  found: Int32Array
  scores: Float32Array
  judged: OutEdges
}

/** Lists of 100 documents with many equal scores. Of one to eight judged documents, about half are listed. */
function makeAnswers(): Answers {
  const random = seededRandom(5)
  const found = new Int32Array(topics * listed)
  const scores = new Float32Array(topics * listed)
  const [starts, targets, weights]: [number[], number[], number[]] = [[0], [], []]
  for (let topic = 0; topic < topics; topic++) {
    const drawn = new Set<number>()
    while (drawn.size < listed + 4) drawn.add(random.below(documents))
    const own = [...drawn]
    found.set(own.slice(0, listed), topic * listed)
    for (let i = 0; i < listed; i++) scores[topic * listed + i] = random.below(64) / 64
    const relevant = own.slice(listed - 4).slice(0, 1 + random.below(8))
    for (const document of relevant.sort((a, b) => a - b)) {
      targets.push(document)
      weights.push(1 + random.below(3))
    }
    starts.push(targets.length)
  }
  const edges = { starts: Uint32Array.from(starts), targets: Int32Array.from(targets) }
  return { found, scores, judged: { ...edges, weights: Float64Array.from(weights) } }
}

const name = (document: number) => `d${document}`

/** The same as trec_eval's files have it, in JSON. */
async function exportAnswers(): Promise<void> {
  const { found, scores, judged } = makeAnswers()
  const ofTopics = (entries: (topic: number) => [string, number][]) =>
    Object.fromEntries(Array.from({ length: topics }, (_, topic) => [`t${topic}`, Object.fromEntries(entries(topic))]))
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  const run = ofTopics((topic) =>
    range(topic * listed, (topic + 1) * listed).map((i): [string, number] => [name(found[i]), scores[i]]),
  )
  const qrels = ofTopics((topic) =>
    range(judged.starts[topic], judged.starts[topic + 1]).map((i): [string, number] => [
      name(judged.targets[i]),
      judged.weights[i],
    ]),
  )
  await mkdir(peersFolder, { recursive: true })
  await writeFile(join(peersFolder, "ranking.json"), JSON.stringify({ run, qrels, measures: rankingMeasures }))
}

/** Sorts every list, looks up the grades and evaluates them, as `measure --only retrieval` does. */
function evaluateAll({ found, scores, judged }: Answers, names: ReturnType<typeof namesOf>): Float64Array {
  const scoreOf = new Float32Array(documents)
  const values = new Float64Array(topics * rankingMeasures.length)
  for (let topic = 0; topic < topics; topic++) {
    const own = found.subarray(topic * listed, (topic + 1) * listed)
    for (let i = 0; i < listed; i++) scoreOf[own[i]] = scores[topic * listed + i]
    const candidates = { documents: own, count: listed, scoreOf: (document: number) => scoreOf[document] }
    const ranking = rankDocuments(candidates, { depth: listed, names })
    const grades = Float64Array.from(ranking.documents, (document) => {
      const at = findJudged(judged, topic, document)
      return at < 0 ? 0 : judged.weights[at]
    })
    const result = evaluateRanking(grades, judged.weights.subarray(judged.starts[topic], judged.starts[topic + 1]))
    rankingMeasures.forEach((measure, i) => {
      values[topic * rankingMeasures.length + i] = result[measure]
    })
  }
  return values
}

const namesOf = () => dictionaryOf(Array.from({ length: documents }, (_, document) => name(document))).parts()

async function evaluate(): Promise<Finding> {
  const [answers, names] = [makeAnswers(), namesOf()]
  const { seconds, cpu } = await bestOf(() => evaluateAll(answers, names))
  return { count: topics, seconds, cpu }
}

async function evaluateThere(): Promise<Finding> {
  const finding = await askPeer("ranking.py", {})
  if (finding.skipped !== undefined) return finding
  const theirs = new Float64Array(new Uint8Array(await readFile(join(peersFolder, "ranking.bin"))).buffer)
  const ours = evaluateAll(makeAnswers(), namesOf())
  return { ...finding, difference: theirs.reduce((most, value, i) => Math.max(most, Math.abs(value - ours[i])), 0) }
}

export const ranking: Comparison = {
  name: "ranking",
  work: `nDCG, P and AP of ${topics.toLocaleString("en")} lists of ${listed}`,
  prepare: exportAnswers,
  contenders: [
    { name: "queryveil", run: evaluate },
    { name: "pytrec-eval", run: evaluateThere },
  ],
  compare: differenceAtMost(1e-9),
}
