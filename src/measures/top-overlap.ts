import { Type } from "#typebox"
import { rankCorrelation } from "../kernels/statistics/rank-correlation.ts"
import { hasQueries, type ReleaseProbe } from "../probes/probe.ts"
import { type Finding, labelWithProbe } from "../probes/score.ts"
import {
  queriesOfRows,
  type ShownTexts,
  shownOf,
  shownQueries,
  shownUrls,
  showsUrls,
  urlsOfRows,
} from "./shown/shown-texts.ts"

const options = Type.Object({
  top: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1_000_000,
    description: "compare this many of the most frequent",
  }),
})

/**
 * The most frequently shown texts. Ties are ordered by bytes, so that the order does not depend on how the log was
 * read. Texts that are not shown are left out.
 */
function mostFrequent({ texts, weights }: ShownTexts, top: number): number[] {
  const shown = [...weights.keys()].filter((id) => weights[id] > 0)
  const least = shown.length <= top ? 0 : weights.filter((weight) => weight > 0).sort()[shown.length - top]
  const candidates = shown.filter((id) => weights[id] >= least)
  candidates.sort((a, b) => weights[b] - weights[a] || Buffer.compare(texts.bytes(a), texts.bytes(b)))
  return candidates.slice(0, top)
}

/**
 * Share of the log's N most frequent texts that are among the release's N most frequent. Also gives Spearman's rank
 * correlation between how often the log and the release show these N texts of the log, where a missing text counts as
 * shown 0 times. The correlation is left out if one side shows all of them equally often.
 */
function overlap(name: string, { before, after }: Record<"before" | "after", ShownTexts>, top: number): Finding[] {
  const original = mostFrequent(before, top)
  const shown = new Set(mostFrequent(after, top).map((id) => after.texts.text(id)))
  const shared = original.filter((id) => shown.has(before.texts.text(id))).length
  const n = original.length
  const often = shownOf(after, before.texts)
  const order = rankCorrelation(
    original.map((id) => before.weights[id]),
    original.map((id) => often[id]),
  )
  const score = { n, baseline: 1, better: "higher" as const }
  return [
    { score: name, at: { top }, value: n === 0 ? 0 : shared / n, ...score },
    ...(Number.isNaN(order) ? [] : [{ score: "order", at: { top }, value: order, ...score }]),
  ]
}

export const topQueries: ReleaseProbe<typeof options> = {
  name: "top-queries",
  looksAt: "any",
  summary: "overlap of the N most frequent queries, and whether their order is kept",
  options,
  label: (scored) => labelWithProbe("top-queries", scored, "-"),
  applies: hasQueries,
  async run({ release, log }, { top }, context) {
    const after = await shownQueries(release, context)
    return overlap("top-queries", { before: queriesOfRows(log), after }, top)
  },
}

export const topUrls: ReleaseProbe<typeof options> = {
  name: "top-urls",
  looksAt: "any",
  summary: "overlap of the N most clicked urls, and whether their order is kept",
  options,
  label: (scored) => labelWithProbe("top-urls", scored, "-"),
  applies: (subject) => (subject.log.urls.size === 0 ? "the log has no clicks" : showsUrls(subject)),
  async run({ release, log }, { top }, context) {
    const after = await shownUrls(release, context)
    return overlap("top-urls", { before: urlsOfRows(log), after }, top)
  },
}
