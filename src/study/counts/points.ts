import { Value } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries, measureSize, measureSpan } from "../../log/statistics.ts"
import { measures } from "../../measures/registry.ts"
import { crossValidate } from "../../measures/retrieval/cross-validate.ts"
import { type RetrievalOptions, retrievalOptions } from "../../measures/retrieval/options.ts"
import { edgesOfRows } from "../../measures/shown/click-edges.ts"
import { edgesOfRelease } from "../../measures/shown/release-edges.ts"
import { anonymize, type Parameters } from "../../release/anonymize.ts"
import { openDraft } from "../../release/read-release.ts"
import { runProbes, selectProbes } from "../../release/run-probes.ts"
import type { Point, PointOutput, StudySubject, TableData } from "../study.ts"

const shownCounts = selectProbes(measures, ["shown-counts"])

/** The log by numbers, or one setting: what a release of the log shows, and what the method is worth for search. */
export async function computeCountsPart(
  point: Point,
  { log }: StudySubject,
  context: RunContext,
): Promise<PointOutput> {
  const start = process.cpuUsage()
  const output = point.part === "log" ? describeLog(log) : await tryOut(point, log, context)
  const { user, system } = process.cpuUsage(start)
  const time = { columns: ["seconds"], rows: [[(user + system) / 1e6]] }
  return { ...output, tables: { ...output.tables, time } }
}

async function tryOut(point: Point, log: SearchLog, context: RunContext): Promise<PointOutput> {
  const release = (part: SearchLog) =>
    anonymize(part, { method: "counts", scrub: "none", ...settingsOf(point) }, context)
  const draft = await release(log)
  const outcomes = await runProbes(shownCounts, { log, release: openDraft(draft) }, {}, context)
  const rowsOf = (name: string) => draft.tables[name]?.rows ?? 0
  const names = ["queries", "clicks", "transitions"]
  return {
    scores: outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores : [])),
    tables: {
      keys: { columns: names, rows: [names.map(rowsOf)] },
      ...(canBeAsked(log) ? { retrieval: await judgeMethod(point, { log, release }, context) } : {}),
    },
  }
}

/** What the method is told. */
function settingsOf({ mode, epsilon, delta, maxKeys, noiseScale, cutoff, ...point }: Point): Parameters {
  if (mode === "paper") {
    const { firstQueries = 1, firstClicks = 1 } = point
    return { mode, noiseScale: String(noiseScale), cutoff: Number(cutoff), firstQueries, firstClicks }
  }
  const l0 = Number(maxKeys)
  const bounded = { epsilon: String(epsilon), maxQueries: l0, maxClicks: l0, maxTransitions: l0 }
  if (mode === "pure") return { ...bounded, mode }
  return { ...bounded, delta: String(delta), select: mode === "optimal" ? mode : "laplace" }
}

/** Without clicks or users there is nothing to ask. */
const canBeAsked = (log: SearchLog) => log.urls.size > 0 && log.users.size > 0

/** The paper's cross-validation. Of a single query there is no test: those cells stay empty. */
async function judgeMethod(
  point: Point,
  { log, release }: { log: SearchLog; release: (part: SearchLog) => ReturnType<typeof anonymize<"counts">> },
  context: RunContext,
): Promise<TableData> {
  const publish = async (part: SearchLog) => edgesOfRelease(openDraft(await release(part)), context)
  const options: RetrievalOptions = Value.Parse(retrievalOptions, Value.Clean(retrievalOptions, { ...point }))
  const comparisons = await crossValidate(log, publish, options, context)
  return {
    columns: ["ranker", "measure", "over", "n", "original", "release", "difference", "low", "high", "p", "equivalence"],
    rows: comparisons.map(
      ({ ranker, measure, over, n, original, release: value, difference, interval, p, equivalence }) => [
        ranker,
        measure,
        over,
        n,
        original,
        value,
        ...[difference, ...interval, p, equivalence].map((found) => (n < 2 ? "" : found)),
      ],
    ),
  }
}

/** What there is of searches, clicks and transitions. */
function describeLog(log: SearchLog): PointOutput {
  const { rows, events, users, queries, urls } = measureSize(log, countQueries(log))
  const { clicks, transitions } = edgesOfRows(log)
  const statistics: [string, number][] = [
    ["rows", rows],
    ["users", users],
    ["days", Math.round(measureSpan(log)?.days ?? 0)],
    ["searches", events],
    ["searches with a click", countClicked(log)],
    ["distinct queries", queries],
    ["clicks", clicks.from.length],
    ["distinct urls", urls],
    ["distinct clicks (query, url)", countDistinct(clicks, log.urls.size)],
    ["transitions within 30 minutes", transitions.from.length],
    ["distinct transitions (query, next)", countDistinct(transitions, log.queries.size)],
  ]
  return { scores: [], tables: { statistics: { columns: ["statistic", "value"], rows: statistics } } }
}

/** Rows of one search stand together. */
function countClicked({ event, url }: SearchLog): number {
  let [count, last] = [0, -1]
  for (const [row, own] of event.entries()) {
    if ((url[row] ?? -1) < 0 || own === last) continue
    last = own
    count++
  }
  return count
}

function countDistinct({ from, to }: { from: ArrayLike<number>; to: ArrayLike<number> }, width: number): number {
  const keys = Float64Array.from(from, (source, edge) => source * width + (to[edge] ?? 0)).sort()
  return keys.reduce((count, key, i) => count + (key === keys[i - 1] ? 0 : 1), 0)
}
