import { Value } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries, measureSize, measureSpan } from "../../log/statistics.ts"
import { measures } from "../../measures/registry.ts"
import type { Comparison } from "../../measures/retrieval/compare-systems.ts"
import { crossValidate } from "../../measures/retrieval/cross-validate.ts"
import { type RetrievalOptions, retrievalOptions } from "../../measures/retrieval/options.ts"
import { edgesOfRows } from "../../measures/shown/click-edges.ts"
import { edgesOfRelease } from "../../measures/shown/release-edges.ts"
import { histories } from "../../methods/counts/histories.ts"
import { runProbes, scoresOf, selectProbes } from "../../probes/run-probes.ts"
import { makeDraft, type OptionValues } from "../../release/anonymize.ts"
import { openDraft } from "../../release/read-release.ts"
import type { Point, PointOutput, StudySubject, TableData } from "../study.ts"

const shownCounts = selectProbes(measures, ["shown-counts"])

/**
 * Computes one part: the numbers of the log, or one setting. A setting has the contents of a release and its value for
 * search.
 */
export async function computeCountsPart(
  point: Point,
  { log, lists = {} }: StudySubject,
  context: RunContext,
): Promise<PointOutput> {
  const start = process.cpuUsage()
  const output = point.part === "log" ? describeLog(log) : await tryOut(point, { log, lists }, context)
  const { user, system } = process.cpuUsage(start)
  const time = { columns: ["seconds"], rows: [[(user + system) / 1e6]] }
  return { ...output, tables: { ...output.tables, time } }
}

async function tryOut(
  point: Point,
  { log, lists }: { log: SearchLog; lists: Readonly<Record<string, string>> },
  context: RunContext,
): Promise<PointOutput> {
  const settings = settingsOf(point, lists)
  const release = (part: SearchLog) => makeDraft(part, { method: "counts", scrub: "none", ...settings }, context)
  const draft = await release(log)
  const outcomes = await runProbes(shownCounts, { log, release: openDraft(draft) }, {}, context)
  const rowsOf = (name: string) => draft.tables[name]?.rows ?? 0
  const names = ["queries", "clicks", "transitions"]
  return {
    scores: scoresOf(outcomes),
    tables: {
      keys: { columns: names, rows: [names.map(rowsOf)] },
      ...(canBeAsked(log) ? { retrieval: await judgeMethod(point, { log, release }, context) } : {}),
    },
  }
}

/** Options of the method that a point holds under the same name. */
const passed = ["poolNgrams", "poolMinFrequency", "poolFrequencies", "sessionGap", "repeats"]

/** The options of the method at a point. */
function settingsOf(point: Point, lists: Readonly<Record<string, string>>): OptionValues {
  const { mode, epsilon, delta, maxKeys, noiseScale, cutoff, firstQueries = 1, firstClicks = 1 } = point
  const own = Object.fromEntries(
    Object.entries(point).flatMap(([key, value]) => {
      if (key === "pool" || key === "poolUrls") return [[key, lists[String(value)] ?? value]]
      return passed.includes(key) ? [[key, value]] : []
    }),
  )
  if (mode === "paper")
    return { ...own, mode, noiseScale: String(noiseScale), cutoff: Number(cutoff), firstQueries, firstClicks }
  const l0 = Number(maxKeys)
  const spent = { ...own, epsilon: String(epsilon), ...(delta === undefined ? {} : { delta: String(delta) }) }
  if (mode === "korolova") return { ...spent, mode, firstQueries: l0, firstClicks: l0 }
  const bounded = { ...spent, maxQueries: l0, maxClicks: l0, maxTransitions: l0 }
  return mode === "pure" ? { ...bounded, mode } : { ...bounded, select: mode === "optimal" ? mode : "laplace" }
}

/** A log without clicks or users has no test queries. */
const canBeAsked = (log: SearchLog) => log.urls.size > 0 && log.users.size > 0

// biome-ignore format: columns
const comparisonColumns = [
  "ranker", "measure", "over", "n", "original", "release", "difference", "low", "high", "p", "equivalence", "draws",
  "lowest", "highest",
]

/**
 * The paper's cross-validation with several draws of the noise for each fold. A value is the mean over the draws, next
 * to the lowest and the highest. A p value is the largest over the draws. A single query allows no test; its cells stay
 * empty.
 */
async function judgeMethod(
  point: Point,
  { log, release }: { log: SearchLog; release: (part: SearchLog) => ReturnType<typeof makeDraft<"counts">> },
  context: RunContext,
): Promise<TableData> {
  const publish = async (part: SearchLog) => edgesOfRelease(openDraft(await release(part)), context)
  const options: RetrievalOptions = Value.Parse(retrievalOptions, Value.Clean(retrievalOptions, { ...point }))
  const draws: Comparison[][] = []
  for (let draw = 0; draw < Number(point.draws ?? 1); draw++)
    draws.push(await crossValidate(log, publish, options, context))
  const [first = []] = draws
  return {
    columns: comparisonColumns,
    rows: first.map(({ ranker, measure, over }) => {
      const same = draws.flatMap((rows) =>
        rows.filter((row) => row.ranker === ranker && row.measure === measure && row.over === over),
      )
      const values = same.map((row) => row.release)
      const n = Math.min(...same.map((row) => row.n))
      const tests = [
        ...[meanOf(same, "difference"), ...[0, 1].map((end) => mean(same.map(({ interval }) => interval[end] ?? 0)))],
        ...[Math.max(...same.map(({ p }) => p)), Math.max(...same.map(({ equivalence }) => equivalence))],
      ]
      return [
        ...[ranker, measure, over, n, meanOf(same, "original"), mean(values)],
        ...tests.map((found) => (n < 2 ? "" : found)),
        ...[same.length, Math.min(...values), Math.max(...values)],
      ]
    }),
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const meanOf = (rows: readonly Comparison[], what: "original" | "difference") => mean(rows.map((row) => row[what]))

/** Counts the searches, clicks and transitions of the log. */
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
    ["adjacent searches of a user, the paper's transitions", countAdjacent(log)],
    ["transitions within 30 minutes, no repeats", transitions.from.length],
    ["distinct ones of these (query, next)", countDistinct(transitions, log.queries.size)],
  ]
  return { scores: [], tables: { statistics: { columns: ["statistic", "value"], rows: statistics } } }
}

/** Counts the searches that are not the first of their user. */
function countAdjacent(log: SearchLog): number {
  let count = 0
  for (const { size } of histories(log)) count += size - 1
  return count
}

/** Counts the searches with a click. Rows of one search are adjacent. */
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
