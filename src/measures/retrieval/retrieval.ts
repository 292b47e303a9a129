import { type RankingMeasure, rankingMeasures } from "../../kernels/retrieval/evaluate-ranking.ts"
import { tableOf } from "../../kernels/table.ts"
import type { ReleaseProbe } from "../../probes/probe.ts"
import type { Finding, Scored } from "../../probes/score.ts"
import { edgesOfRelease, hasClicks } from "../shown/release-edges.ts"
import type { Comparison } from "./compare-systems.ts"
import { compareRetrieval } from "./cross-validate.ts"
import { rankers } from "./judge-system.ts"
import { retrievalOptions } from "./options.ts"

/**
 * What a release is worth to a search engine that learns from it: U(Q′) = E(R(Q′)) next to U(Q) = E(R(Q)), where R is a
 * random walk on clicks or implicit feedback, and E a measure of trec_eval. Zhang, Yang & Singh 2016, §2 and §5;
 * docs/methods/retrieval.md.
 */
export const retrieval: ReleaseProbe<typeof retrievalOptions> = {
  name: "retrieval",
  looksAt: "any",
  summary: "how well a search engine that learns from the release answers, compared with one that learns from the log",
  options: retrievalOptions,
  label: labelRetrieval,
  applies: (subject) => {
    if (subject.log.urls.size === 0) return "the log has no clicks"
    if (subject.log.users.size === 0) return "the log has no users to split into folds"
    return hasClicks(subject.release)
  },
  async run(subject, options, context) {
    const edges = await edgesOfRelease(subject.release, context)
    return scoresOf(await compareRetrieval(edges, { ...subject, keep: subject.trec }, options, context))
  },
}

/** The scores that trec_eval's names stand for. */
const measured: Record<RankingMeasure, Scored> = {
  ndcg_cut_10: { score: "ndcg", at: { cut: 10 } },
  P_5: { score: "P", at: { cut: 5 } },
  P_10: { score: "P", at: { cut: 10 } },
  map: { score: "map" },
}

/** The score of a ranker by a measure, or a statistic of it, or the score over another set of queries. */
function scored({ ranker, measure }: Pick<Comparison, "ranker" | "measure">, statistic?: string): Scored {
  const { score, at } = measured[measure]
  return { score, at: { ranker, ...at, ...(statistic !== undefined && { statistic }) } }
}

/** Labels keep the names of trec_eval: `walk-ndcg_cut_10`, `walk-ndcg_cut_10-difference`. */
function labelRetrieval({ score, at = {} }: Scored): string {
  const name = rankingMeasures.find((one) => measured[one].score === score && measured[one].at?.cut === at.cut)
  return [at.ranker, name ?? score, at.statistic].filter((part) => part !== undefined).join("-")
}

/**
 * Every measure as a score. The first measure, which the paper uses most, also has the tests, the number of answered
 * queries, and the scores of both sides if they have seen the clicks of the test. The series has this for every
 * measure.
 */
function scoresOf(comparisons: readonly Comparison[]): Finding[] {
  return rankers.flatMap((ranker) => {
    const own = comparisons.filter((comparison) => comparison.ranker === ranker)
    const all = own.filter(({ over }) => over === "all")
    const [first, answered] = own.filter(({ measure }) => measure === rankingMeasures[0])
    if (first === undefined || answered === undefined) return []
    const series = tableOf(seriesColumns, own.map(seriesRow))
    const scores = all.map((found): Finding => {
      const { release, original, n } = found
      const rest = found === first ? { series } : {}
      return { ...scored(found), value: release, n, baseline: original, better: "higher", ...rest }
    })
    return [...scores, ...testScores(first, answered)]
  })
}

function testScores(first: Comparison, answered: Comparison): Finding[] {
  const { ranker, n, difference, interval, p, equivalence, releaseSeen = 0, originalSeen = 0 } = first
  const overAnswered: Finding = {
    ...scored(first, "answered"),
    value: answered.release,
    n: answered.n,
    baseline: answered.original,
    better: "higher",
  }
  const answers: Finding[] = [
    { score: "answered", at: { ranker }, value: n === 0 ? 0 : answered.n / n, n, better: "higher" },
    ...(answered.n === 0 ? [] : [overAnswered]),
    { ...scored(first, "seen"), value: releaseSeen, n, baseline: originalSeen, better: "higher" },
  ]
  if (n < 2) return answers // a single pair allows no test
  return [
    { ...scored(first, "difference"), value: difference, n, interval, baseline: 0, better: "higher" },
    { ...scored(first, "t-test-p"), value: p, n, better: "higher" },
    { ...scored(first, "equivalence-p"), value: equivalence, n, better: "lower" },
    ...answers,
  ]
}

const seriesColumns = [
  "over",
  "measure",
  "n",
  "original",
  "release",
  "difference",
  "low",
  "high",
  "t-test-p",
  "equivalence-p",
  "original-seen",
  "release-seen",
]

const seriesRow = (row: Comparison) => [
  row.over,
  row.measure,
  row.n,
  row.original,
  row.release,
  row.difference,
  ...[...row.interval, row.p, row.equivalence].map((value) => (row.n < 2 ? "" : value)),
  row.originalSeen ?? "",
  row.releaseSeen ?? "",
]
