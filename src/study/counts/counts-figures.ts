import { findScore } from "../../probes/score.ts"
import type { PanelOptions } from "../figures/panels.ts"
import type { Figure, PointResult, StudySubject } from "../study.ts"
import { type Cell, gather, panelFigure, type Row, tableFigureData } from "../swap/rows.ts"
import { retrievalTables } from "./tables.ts"

const paper = "Zhang, Yang & Singh 2016"

/** The paper's tables and figure, then what the modes release and what that is worth over ε. */
export function countsFigures(results: readonly PointResult[]): Figure[] {
  const figures = [
    {
      id: "log",
      title: "The log",
      cites: `${paper}, Table 3`,
      caption: "What there is to count. A transition is a search and the user's next one, of another query.",
      data: tableFigureData(gather(results, "statistics", []), ["statistic", "value"]),
    },
    ...retrievalTables(results),
    ...gridFigures(ofPart(results, "grid")),
    ...epsilonFigures(ofPart(results, "epsilon")),
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

const ofPart = (results: readonly PointResult[], part: string) => results.filter(({ point }) => point.part === part)

/** nDCG@10 of all test queries, by both algorithms of the paper. */
function gainRows(results: readonly PointResult[], values: readonly string[]): Row[] {
  return gather(results, "retrieval", values)
    .filter(({ measure, over, ranker }) => measure === "ndcg_cut_10" && over === "all" && ranker !== "clicks")
    .map((row): Row => ({ ...row, algorithm: algorithms[String(row.ranker)] ?? "" }))
    .sort((a, b) => String(a.algorithm).localeCompare(String(b.algorithm)))
}

const algorithms: Record<string, string> = { feedback: "implicit feedback", walk: "random walk" }

/** Fig. 1, and the contents of its releases. */
function gridFigures(results: readonly PointResult[]): Figure[] {
  const values = ["noiseScale", "cutoff"]
  const overScale = { x: "noiseScale", xScale: "log", xLabel: "scale of the noise b", series: "cutoff" } as const
  const draw = { ...overScale, nameOf: (K: Cell) => `K = ${K}`, panel: "panel", columns: 2 }
  const gains = gainRows(results, values)
  const worth = gains.map(
    (row): Row => ({ ...row, panel: row.algorithm ?? "", low: row.lowest ?? "", high: row.highest ?? "" }),
  )
  const draws = Math.max(1, ...gains.map((row) => Number(row.draws)))
  const originals = [...new Map(gains.map(({ algorithm, original }) => [algorithm, Number(original)]))]
  const ofLog = originals.map(([name, value]) => `${value.toPrecision(3)} (${name})`).join(", ")
  return [
    panelFigure({
      id: "grid",
      title: "nDCG@10 over b and K, the paper's algorithm",
      cites: `${paper}, Fig. 1, which shows implicit feedback`,
      caption: `Mean over all queries that were asked, of which an unanswered one scores 0${draws === 1 ? "" : `, and over ${draws} draws of the noise for each fold; bars from the lowest draw to the highest, p values the largest of the draws`}. The log itself scores ${ofLog}. Where b is not small beside K, queries are released by their noise.`,
      rows: worth,
      keep: ["algorithm", "noiseScale", "cutoff", "release", "low", "high", "draws", "original", "p", "equivalence", "n"], // biome-ignore format: columns
      draw: { ...draw, panel: "algorithm", y: "release", yLabel: "nDCG@10", hasIntervals: true },
    }),
    panelFigure({
      id: "grid-keys",
      title: "Queries and clicks released over b and K, the paper's algorithm",
      caption:
        "Of the whole log. Every click on a released query is shown, whatever its noisy count. Heights by cube root.",
      rows: keyRows(results, values).filter(({ table }) => table !== "transitions"),
      keep: ["table", "noiseScale", "cutoff", "keys"],
      draw: { ...draw, panel: "table", y: "keys", yLabel: "keys released", yScale: "root" },
    }),
  ]
}

/** The number of keys in each table of the release of the whole log. */
function keyRows(results: readonly PointResult[], values: readonly string[]): Row[] {
  const rows = gather(results, "keys", values)
  return ["queries", "clicks", "transitions"].flatMap((table) =>
    rows.map((row): Row => ({ ...row, table, keys: row[table] ?? 0 })),
  )
}

/** What the modes release and what that is worth over ε, with a panel for each bound ℓ₀. */
function epsilonFigures(results: readonly PointResult[]): Figure[] {
  const bounds = [
    ...new Set(results.flatMap(({ point }) => (point.maxKeys === undefined ? [] : Number(point.maxKeys)))),
  ]
  const values = ["mode", "epsilon", "maxKeys", "cutoff"]
  const draw: PanelOptions = {
    x: "epsilon",
    xScale: "log",
    xLabel: "ε",
    y: "value",
    yLabel: "",
    yScale: "root",
    series: "curve",
    panel: "panel",
    columns: Math.max(1, bounds.length),
  }
  /** The paper's algorithm has no ℓ₀. It is drawn in every panel for comparison. */
  const placed = (rows: readonly Row[], { panel, value }: { panel: string; value: string }): Row[] =>
    [...new Set(rows.map((row) => row[panel] ?? ""))].flatMap((name) =>
      bounds.flatMap((l0) => {
        const own = rows.filter((row) => row[panel] === name && (row.mode === "paper" || row.maxKeys === l0))
        const place = { maxKeys: l0, panel: `${name}, ℓ₀ = ${l0}` }
        return own.map((row): Row => ({ ...row, ...place, curve: curveOf(row), value: row[value] ?? 0 }))
      }),
    )
  const gains = gainRows(results, values)
  const least = gains.find(({ mode }) => mode === "paper")?.cutoff
  const ofLog = gains
    .filter(({ mode, cutoff }) => mode === "paper" && cutoff === least)
    .map((row): Row => ({ ...row, curve: "the log", release: row.original ?? 0, p: "", equivalence: "" }))
  return [
    panelFigure({
      id: "keys",
      title: "Keys released over ε",
      caption:
        "Of the whole log, one draw of the noise. The paper's algorithm at the b for which composition would cost ε, were all keys public: its δ is 1. Pure and korolova have no clicks without a public list of urls. Heights by cube root.",
      rows: placed(keyRows(results, values), { panel: "table", value: "keys" }),
      keep: ["table", "maxKeys", "curve", "epsilon", "value", "panel"],
      draw: { ...draw, yLabel: "keys released" },
    }),
    panelFigure({
      id: "shares",
      title: "Share of searches and clicks covered over ε",
      caption: "Searches of the log whose query is released, and clicks whose query and url are. Heights by cube root.",
      rows: placed(shareRows(results), { panel: "of", value: "share" }),
      keep: ["of", "maxKeys", "curve", "epsilon", "value", "panel"],
      draw: { ...draw, yLabel: "share" },
    }),
    panelFigure({
      id: "utility",
      title: "nDCG@10 over ε",
      caption:
        "By cross-validation, over all queries that were asked, of which an unanswered one scores 0; dashed, the log itself. Heights by cube root.",
      rows: placed([...gains, ...ofLog], { panel: "algorithm", value: "release" }),
      keep: ["algorithm", "maxKeys", "curve", "epsilon", "value", "p", "equivalence", "n", "panel"],
      draw: { ...draw, yLabel: "nDCG@10", theory: "the log" },
    }),
  ]
}

const curveOf = ({ curve, mode, cutoff }: Row): Cell =>
  curve ?? (mode === "paper" ? `paper, K = ${cutoff}` : (mode ?? ""))

function shareRows(results: readonly PointResult[]): Row[] {
  const shown = { searches: "events-shown", clicks: "clicks-shown" }
  return Object.entries(shown).flatMap(([of, score]) =>
    results.map(({ point: { mode, epsilon, maxKeys, cutoff }, scores }): Row => {
      const set = { mode: String(mode), epsilon: Number(epsilon), maxKeys: Number(maxKeys), cutoff: Number(cutoff) }
      return { of, ...set, share: findScore(scores, { probe: "shown-counts", score })?.value ?? 0 }
    }),
  )
}

/** The settings, and what differs from the paper. */
export function countsNotes(_subject: StudySubject, results: readonly PointResult[]): string[] {
  const settings = results.filter(({ point }) => point.part !== "log")
  const empty = gather(settings, "keys", []).filter((row) => Object.values(row).every((count) => count === 0)).length
  const seconds = gather(results, "time", []).reduce((sum, row) => sum + Number(row.seconds), 0)
  const [first] = settings
  const { firstQueries = 1, firstClicks = 1, folds, testQueries, draw, margin } = first?.point ?? {}
  const pure = settings.find(({ point }) => point.mode === "pure")?.point ?? {}
  const ownPool = pure.pool !== undefined && pure.pool !== "wordnet"
  const isAsked = first?.tables?.retrieval !== undefined
  return [
    `Mode paper is the algorithm as published, q_f = ${firstQueries} and c_f = ${firstClicks}, which the paper does not name, ${pure.pool === undefined ? "without a query pool" : "with the pool where it says so and in Fig. 1"}. Its δ is 1, not 0 as claimed; the ε shown for it, ((2q_f − 1) + c_f)/b, is what composition would cost if all keys were public. It must not be published.`,
    `Approximate, optimal (the same with truncated noise), korolova (Korolova et al. 2009, d = ℓ₀ searches and clicks of a user) and pure mode are (ε, δ)-private, pure with δ = 0 on ${ownPool ? "the public pool" : "WordNet's lemmas"}. Identifiers are not scrubbed here.`,
    `${pure.poolUrls === undefined ? "Without a public list of urls (--pool-urls) pure and korolova have no clicks, and answer nothing." : "Clicks of pure and korolova are on the public urls alone."} Nothing here can tell whether a pool is public: one that comes from the log voids the guarantee.`,
    ...(isAsked
      ? [
          `Users, not rows, are split into ${folds} folds: the users of the test fold are in neither the log's part nor the one that is released. ${Number(testQueries).toLocaleString("en")} queries ${draw === "clicks" ? "are drawn in proportion to their clicks" : "with a click are drawn evenly"}, or all there are; one that a release cannot answer scores 0. The paper says neither how it splits nor what it does with unanswered queries.`,
          `“Not significantly different” is no proof of being alike: a small equivalence p says that the difference is at most ${margin} of the log's value, and only that does.`,
        ]
      : ["The log has no clicks, or no users: nobody can be asked, and there is nothing about utility here."]),
    `${empty} of ${settings.length} settings release nothing of this log: their curves lie at 0. The paper's K = 500 was chosen for AOL's log.`,
    `All points together took ${Math.round(seconds)} seconds of processor time.`,
  ]
}
