import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { rankByClicks, rankWithFeedback } from "../../kernels/retrieval/click-feedback.ts"
import { evaluateRanking, type RankingMeasure, rankingMeasures } from "../../kernels/retrieval/evaluate-ranking.ts"
import { createWalker, type WalkOptions } from "../../kernels/retrieval/random-walk.ts"
import { type Ranking, rankDocuments } from "../../kernels/retrieval/rank-documents.ts"
import { runLines } from "../../kernels/retrieval/trec-format.ts"
import { buildWalkGraph, type WalkGraph } from "../../kernels/retrieval/walk-graph.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ClickEdges } from "../shown/click-edges.ts"
import { type FoldTests, findJudged } from "./fold-tests.ts"

/** The random walk, implicit feedback, and implicit feedback without the hint that it takes from the test. */
export const rankers = ["walk", "feedback", "clicks"] as const
/** One of the rankers that a system is judged with. */
export type Ranker = (typeof rankers)[number]

/** How a system ranks, and how its lists are graded. */
export interface RankingOptions extends WalkOptions {
  lambda: number
  /** The most documents in a ranked list. */
  depth: number
  grades: "binary" | "clicks"
}

/** What a ranker learned, with the ids of its training data. */
export interface Training {
  graph: WalkGraph
  queries: Dictionary
  urls: Dictionary
}

/** Builds the walk graph of these clicks and transitions. */
export function trainOn({ queries, urls, clicks, transitions }: ClickEdges): Training {
  const graph = buildWalkGraph({ queries: queries.size, documents: urls.size, clicks, transitions })
  return { graph, queries, urls }
}

/** One side of a comparison: its training for each fold. */
export interface System {
  name: string
  /** The training of the system for this fold. */
  trainingFor(fold: number): Training | Promise<Training>
}

/** A value for each topic: that of asked[i] in fold f is at f · asked.length + i. NaN if nothing was clicked there. */
export interface TopicValues {
  values: Record<Ranker, Record<RankingMeasure, Float64Array>>
  /** 1 if the ranker finds a document. */
  answered: Record<Ranker, Float64Array>
}

/** Appends lines to a file; the lines of several calls with one name make one file. */
export type KeepLines = (name: string, lines: readonly string[]) => Promise<void>

/** The name of a topic in TREC files. */
export const topicName = (fold: number, place: number) => `${fold + 1}.${place + 1}`

/**
 * Asks a system every query in every fold whose users clicked something for it, and judges its answers by those clicks.
 */
export async function judgeSystem(
  system: System,
  { log, tests, keep }: { log: SearchLog; tests: FoldTests; keep?: KeepLines | undefined },
  options: RankingOptions,
  context: RunContext,
): Promise<TopicValues> {
  const { asked, folds, judged } = tests
  const found = emptyValues(folds * asked.length)
  let training: Training | undefined
  let answers: ((place: number) => Answer | undefined) | undefined
  for (let fold = 0; fold < folds; fold++) {
    const trained = await system.trainingFor(fold)
    if (answers === undefined || trained !== training) answers = answerQueries(trained, { log, asked }, options)
    training = trained
    const lines: Record<Ranker, string[]> = { walk: [], feedback: [], clicks: [] }
    for (let place = 0; place < asked.length; place++) {
      const topic = fold * asked.length + place
      if (judged.starts[topic] === judged.starts[topic + 1]) continue
      const rankings = judgeTopic(answers(place), { topic: { tests, topic, trained, log }, found }, options)
      for (const ranker of rankers) {
        const ranking = keep && rankings?.[ranker]
        if (ranking === undefined) continue
        const urls = Array.from(ranking.documents, (document) => trained.urls.text(document))
        const tag = `${system.name}-${ranker}`
        lines[ranker].push(...runLines({ topic: topicName(fold, place), tag, urls, scores: ranking.scores }))
      }
      if (place % 256 === 255)
        await yieldAndReport(context, { stage: "asking", done: topic + 1, total: folds * asked.length })
    }
    for (const ranker of rankers) await keep?.(`${system.name}.${ranker}.run`, lines[ranker])
    await yieldAndReport(context, { stage: "asking", done: (fold + 1) * asked.length, total: folds * asked.length })
  }
  return found
}

/** The answer of a training to one query, whoever asks. */
interface Answer {
  walk: Ranking
  byClicks: Ranking
}

/** Answers by position in `asked`; undefined if the training does not know the query. Each answer is computed once. */
function answerQueries(
  { graph, queries, urls }: Training,
  { log, asked }: { log: SearchLog; asked: Int32Array },
  options: RankingOptions,
): (place: number) => Answer | undefined {
  const walkFrom = createWalker(graph, options)
  const names = urls.parts()
  const known = new Map<number, Answer>()
  return (place) => {
    const query = queries === log.queries ? asked[place] : queries.findBytes(log.queries.bytes(asked[place]))
    if (query < 0) return undefined
    const answer = known.get(place) ?? {
      walk: rankDocuments(walkFrom(query), { depth: options.depth, names }),
      byClicks: rankByClicks(graph, query, { names }),
    }
    known.set(place, answer)
    return answer
  }
}

interface Topic {
  tests: FoldTests
  topic: number
  trained: Training
  log: SearchLog
}

/** Writes the values of every ranker for one topic to `found`. Returns the rankings; undefined without an answer. */
function judgeTopic(
  answer: Answer | undefined,
  { topic, found }: { topic: Topic; found: TopicValues },
  options: RankingOptions,
): Record<Ranker, Ranking> | undefined {
  const rankings = answer === undefined ? undefined : rankingsOf(answer, topic, options)
  for (const ranker of rankers) {
    const ranking = rankings?.[ranker]
    const values = judge(ranking, topic, options)
    for (const measure of rankingMeasures) found.values[ranker][measure][topic.topic] = values[measure]
    found.answered[ranker][topic.topic] = (ranking?.documents.length ?? 0) > 0 ? 1 : 0
  }
  return rankings
}

function rankingsOf(
  { walk, byClicks }: Answer,
  topic: Topic,
  { lambda, depth }: RankingOptions,
): Record<Ranker, Ranking> {
  const clickedAt = (document: number) => {
    const at = judgementOf(document, topic)
    return at < 0 ? undefined : topic.tests.clickedAt[at]
  }
  const options = { lambda, depth, names: topic.trained.urls.parts() }
  const { documents, scores } = byClicks
  return {
    walk,
    feedback: rankWithFeedback(byClicks, clickedAt, options),
    clicks: { documents: documents.subarray(0, depth), scores: scores.subarray(0, depth) },
  }
}

/** The position of a training document among the judged documents of the topic; -1 if it is not relevant. */
function judgementOf(document: number, { tests, topic, trained, log }: Topic): number {
  const url = trained.urls === log.urls ? document : log.urls.findBytes(trained.urls.bytes(document))
  return url < 0 ? -1 : findJudged(tests.judged, topic, url)
}

function judge(ranking: Ranking | undefined, topic: Topic, { grades }: RankingOptions) {
  const { starts, weights } = topic.tests.judged
  const gradeAt = (at: number) => (at < 0 ? 0 : grades === "binary" ? 1 : weights[at])
  const relevant = Float64Array.from(weights.subarray(starts[topic.topic], starts[topic.topic + 1]), (clicks) =>
    grades === "binary" ? 1 : clicks,
  )
  const listed = Float64Array.from(ranking?.documents ?? [], (document) => gradeAt(judgementOf(document, topic)))
  return evaluateRanking(listed, relevant)
}

function emptyValues(topics: number): TopicValues {
  const column = () => new Float64Array(topics).fill(Number.NaN)
  const measures = () => ({ ndcg_cut_10: column(), P_5: column(), P_10: column(), map: column() })
  return {
    values: { walk: measures(), feedback: measures(), clicks: measures() },
    answered: { walk: column(), feedback: column(), clicks: column() },
  }
}
