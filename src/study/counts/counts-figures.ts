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
      caption:
        "What can be counted. A transition is a search and the next search of the same user, with another query.",
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

// biome-ignore format: columns
const gridColumns = [
  "algorithm", "noiseScale", "cutoff", "release", "low", "high", "draws", "original", "p", "equivalence", "n",
]

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
  const overDraws =
    draws === 1
      ? ""
      : [
          ` For each fold the noise is drawn ${draws} times, and the mean is over the draws too.`,
          "Bars go from the lowest draw to the highest, and p values are the largest of the draws.",
        ].join(" ")
  const ofLog = originals.map(([name, value]) => `${value.toPrecision(3)} (${name})`).join(", ")
  return [
    panelFigure({
      id: "grid",
      title: "nDCG@10 over b and K, the paper's algorithm",
      cites: `${paper}, Fig. 1, which shows implicit feedback`,
      caption: [
        `Mean over all queries that were asked. An unanswered query scores 0.${overDraws}`,
        `The log itself scores ${ofLog}. Where b is not small against K, noise alone releases queries.`,
      ].join(" "),
      rows: worth,
      keep: gridColumns,
      draw: { ...draw, panel: "algorithm", y: "release", yLabel: "nDCG@10", hasIntervals: true },
    }),
    panelFigure({
      id: "grid-keys",
      title: "Queries and clicks released over b and K, the paper's algorithm",
      caption: [
        "Of the whole log. Every click on a released query is shown, whatever its noisy count.",
        "Heights are by cube root.",
      ].join(" "),
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
      caption: [
        "Of the whole log, with one draw of the noise.",
        "The paper's algorithm has the b for which composition would cost ε if all keys were public. Its δ is 1.",
        "Pure and korolova have no clicks without a public list of urls.",
        "Heights are by cube root.",
      ].join(" "),
      rows: placed(keyRows(results, values), { panel: "table", value: "keys" }),
      keep: ["table", "maxKeys", "curve", "epsilon", "value", "panel"],
      draw: { ...draw, yLabel: "keys released" },
    }),
    panelFigure({
      id: "shares",
      title: "Share of searches and clicks covered over ε",
      caption: [
        "Searches of the log whose query is released, and clicks whose query and url are released.",
        "Heights are by cube root.",
      ].join(" "),
      rows: placed(shareRows(results), { panel: "of", value: "share" }),
      keep: ["of", "maxKeys", "curve", "epsilon", "value", "panel"],
      draw: { ...draw, yLabel: "share" },
    }),
    panelFigure({
      id: "utility",
      title: "nDCG@10 over ε",
      caption: [
        "By cross-validation, over all queries that were asked. An unanswered query scores 0.",
        "The dashed line is the log itself. Heights are by cube root.",
      ].join(" "),
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

const noUrls = "Without a public list of urls (--pool-urls), pure and korolova have no clicks and answer nothing."
const poolCaveat =
  "Nothing here can check whether a pool is public. A pool that comes from the log voids the guarantee."

/** The settings, and what differs from the paper. */
export function countsNotes(_subject: StudySubject, results: readonly PointResult[]): string[] {
  const settings = results.filter(({ point }) => point.part !== "log")
  const empty = gather(settings, "keys", []).filter((row) => Object.values(row).every((count) => count === 0)).length
  const seconds = gather(results, "time", []).reduce((sum, row) => sum + Number(row.seconds), 0)
  const [first] = settings
  const { firstQueries = 1, firstClicks = 1, folds, testQueries, draw, margin } = first?.point ?? {}
  const pure = settings.find(({ point }) => point.mode === "pure")?.point ?? {}
  const ownPool = pure.pool !== undefined && pure.pool !== "wordnet"
  const withPool = pure.pool === undefined ? "without a query pool" : "with the pool where it says so and in Fig. 1"
  const urlsNote = pure.poolUrls === undefined ? noUrls : "Clicks of pure and korolova are on the public urls alone."
  const isAsked = first?.tables?.retrieval !== undefined
  return [
    [
      `Mode paper is the algorithm as published, ${withPool}.`,
      `Here q_f = ${firstQueries} and c_f = ${firstClicks}; the paper does not state its values.`,
      "Its δ is 1, not 0 as claimed, and its releases must not be published.",
      "The ε shown for it, ((2q_f − 1) + c_f)/b, is what composition would cost if all keys were public.",
    ].join(" "),
    [
      "Modes approximate, optimal (the same with truncated noise), korolova (Korolova et al. 2009,",
      "with d = ℓ₀ searches and clicks of a user) and pure are (ε, δ)-private.",
      `Pure has δ = 0, on ${ownPool ? "the public pool" : "WordNet's lemmas"}.`,
      "Identifiers are not scrubbed here.",
    ].join(" "),
    `${urlsNote} ${poolCaveat}`,
    ...(isAsked
      ? [
          [
            `Users, not rows, are split into ${folds} folds.`,
            "The users of the test fold are neither in the log's part nor in the part that is released.",
            `At most ${Number(testQueries).toLocaleString("en")} queries with a click are drawn,`,
            `${draw === "clicks" ? "in proportion to their clicks" : "evenly"}.`,
            "A query that a release cannot answer scores 0.",
            "The paper says neither how it splits nor what it does with unanswered queries.",
          ].join(" "),
          [
            "“Not significantly different” does not prove that two values are alike.",
            "Only a small equivalence p is evidence of that.",
            `It says that the difference is at most ${margin} of the log's value.`,
          ].join(" "),
        ]
      : ["The log has no clicks, or no users. Nobody can be asked, so utility is not measured."]),
    [
      `${empty} of ${settings.length} settings release nothing of this log, and their curves are at 0.`,
      "The paper's K = 500 was chosen for AOL's log.",
    ].join(" "),
    `All points together took ${Math.round(seconds)} seconds of processor time.`,
  ]
}
