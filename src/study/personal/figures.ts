import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../methods/table.ts"
import { spreadLabels } from "../figures/curves.ts"
import { palette } from "../figures/draw.ts"
import { nameParameter } from "../figures/parameter-names.ts"
import type { Figure, PointResult } from "../study.ts"
import { recordsOf } from "../study.ts"
import { gather, nearest, panelFigure, type Row, tableFigureData } from "../swap/rows.ts"

const paper = "Shou et al. 2014"
const deltaName = nameParameter("personal", "delta")
const byClass = { series: "algorithm", panel: "class" }
const classText =
  "Classes by what the query says without a profile: distinct DP(q, R) ≥ 0.82, medium ≥ 0.44, ambiguous below."

export function personalFigures(results: readonly PointResult[]): Figure[] {
  const figures = [
    ...stepFigures(gather(results, "steps", [])),
    ...costFigures(results),
    ...qualityFigures(nameDelta(gather(results, "quality", []))),
    ...attackFigures(nameDelta(gather(results, "attack", []))),
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

function stepFigures(steps: readonly Row[]): Figure[] {
  const keep = ["class", "algorithm", "step", "PG", "TS", "DP", "risk", "knee"]
  const long = steps.flatMap((row): Row[] =>
    row.algorithm === "GreedyIL" ? ["PG", "TS"].map((metric) => ({ ...row, metric, bits: row[metric] ?? 0 })) : [],
  )
  const draw = { ...byClass, x: "step", xLabel: "topics pruned" }
  return [
    panelFigure({
      id: "granularity",
      title: "Profile granularity and topic similarity while topics are pruned",
      cites: `${paper}, Fig. 5(a) to (c)`,
      caption: `One person, one query of each class, pruned down to the root by GreedyIL (δ = 0). ${classText}`,
      rows: long,
      keep: ["class", "metric", "step", "bits"],
      draw: { ...draw, series: "metric", y: "bits", yLabel: "bits" },
    }),
    panelFigure({
      id: "power",
      title: "Discriminating power while topics are pruned",
      cites: `${paper}, Fig. 5(a) to (c)`,
      caption: "DP of the same queries. It never rises.",
      rows: steps,
      keep,
      draw: { ...draw, y: "DP", yLabel: "DP" },
    }),
    panelFigure({
      id: "risk",
      title: "Risk while topics are pruned",
      cites: `${paper}, Fig. 5(d) to (f)`,
      caption: "Of the same queries. What is left at the end is the cost of the root.",
      rows: steps,
      keep,
      draw: { ...draw, y: "risk", yLabel: "risk" },
    }),
    {
      id: "trade-off",
      title: "Discriminating power against risk, with the knee",
      cites: `${paper}, Fig. 5(g)`,
      caption:
        "GreedyIL, the same queries. The ring is the knee: the point farthest above the line between the ends, both axes scaled to [0, 1].",
      data: tableFigureData(
        steps.filter(({ algorithm }) => algorithm === "GreedyIL"),
        keep,
      ),
      plot: drawTradeOff,
    },
  ]
}

function drawTradeOff(table: Table, Plot: typeof PlotLibrary): PlotLibrary.PlotOptions {
  const rows = recordsOf(table)
  const last = new Map(rows.map((row) => [row.class, row]))
  const starts = [...last.keys()].flatMap((name) => rows.filter((row) => row.class === name).slice(0, 1))
  const labels = spreadLabels(
    starts.map((row) => ({ class: row.class, x: Number(row.risk), y: Number(row.DP) })),
    { gap: 0.06 },
  )
  return {
    marginRight: 90,
    x: { label: "risk", labelAnchor: "center", labelArrow: "none", type: "sqrt" },
    y: { label: "DP", domain: [0, 1], grid: true, labelArrow: "none" },
    color: { domain: [...last.keys()], range: palette },
    marks: [
      Plot.frame({ stroke: "#ccc" }),
      Plot.line(rows, { x: "risk", y: "DP", z: "class", stroke: "class", strokeWidth: 1.7 }),
      Plot.dot(rows, { x: "risk", y: "DP", fill: "class", r: 2.5 }),
      Plot.dot(
        rows.filter(({ knee }) => knee === 1),
        { x: "risk", y: "DP", stroke: "class", r: 8, strokeWidth: 2 },
      ),
      Plot.text(labels, { x: "x", y: "y", text: "class", fill: "class", textAnchor: "start", dx: 8 }),
    ],
  }
}

/** Rows with δ under the name by which people tell it from others'. */
const nameDelta = (rows: readonly Row[]) =>
  rows.map(({ delta, ...row }): Row => (delta === undefined ? row : { ...row, [deltaName]: delta }))

function costFigures(results: readonly PointResult[]): Figure[] {
  const cost = nameDelta(gather(results, "cost", []))
  const sizes = gather(results, "size", ["size"])
  const counts = gather(results, "count", [])
  const keep = ["class", "algorithm", deltaName, "iterations", "microseconds", "n"]
  const timed = cost.filter(({ algorithm }) => algorithm !== "optimal")
  return [
    panelFigure({
      id: "iterations",
      title: `Topics pruned one after the other, by ${deltaName}`,
      cites: `${paper}, Fig. 6(a)`,
      caption:
        "Mean over all people's queries of the class. GreedyDP always goes on to the root. For the tree, which does not work step by step, topics that it left out; for the optimum, rooted subtrees that exhaustion would look at.",
      rows: cost,
      keep,
      draw: { ...byClass, x: deltaName, xLabel: deltaName, y: "iterations", yLabel: "iterations", yScale: "root" },
    }),
    panelFigure({
      id: "time",
      title: `Time of one generalisation, by ${deltaName}`,
      cites: `${paper}, Fig. 6(b)`,
      caption: "Mean, without the mapping of the query. A time says something beside the others of this run only.",
      rows: timed,
      keep,
      draw: { ...byClass, x: deltaName, xLabel: deltaName, y: "microseconds", yLabel: "µs", yScale: "log" },
    }),
    panelFigure({
      id: "size",
      title: "Time of one generalisation, by the size of the seed profile",
      cites: `${paper}, Fig. 7 (up to 108 topics)`,
      caption:
        "Mean of 20 seed profiles, made of topics of several queries, all leaves equally preferred. The greedy algorithms with δ = 0, so that they prune everything; the tree with δ = 0.1, since for δ = 0 it sees at once that nothing can be shown.",
      rows: sizes,
      keep: ["algorithm", "topics", "microseconds"],
      draw: {
        series: "algorithm",
        x: "topics",
        xLabel: "topics of the seed profile",
        xScale: "log",
        y: "microseconds",
        yLabel: "µs",
        yScale: "log",
      },
    }),
    panelFigure({
      id: "queries",
      title: "Time for many queries",
      cites: `${paper}, Fig. 8`,
      caption:
        "One person with 300 interests, δ = 0.1, one after the other on one core; beside it what it takes to find the topics of the queries.",
      rows: counts,
      keep: ["algorithm", "queries", "seconds"],
      draw: {
        series: "algorithm",
        x: "queries",
        xLabel: "queries",
        xScale: "log",
        y: "seconds",
        yLabel: "s",
        yScale: "log",
      },
    }),
  ]
}

function qualityFigures(rows: readonly Row[]): Figure[] {
  const keep = ["class", "ranking", deltaName, "AP", "covered", "n"]
  const delta = nearest(rows, deltaName, 0.1)
  return [
    {
      id: "precision",
      title: `Average precision before and after, ${deltaName} = ${delta}`,
      cites: `${paper}, Fig. 9`,
      caption: `Eq. 19. Fused by Borda: the engine's order, and UPRank by what was shown (eq. 20). The decision whether to personalise at all is off. Covered: share of what the profile has of the query that lies at or below a leaf that was shown. ${classText}`,
      data: tableFigureData(
        rows.filter((row) => row[deltaName] === delta),
        keep,
      ),
      plot: drawBars,
    },
    panelFigure({
      id: "precision-by-delta",
      title: `Average precision by ${deltaName}`,
      cites: `${paper}, Fig. 10`,
      caption:
        "“whole seed” shows all that the query asks of the profile, whatever the risk; “at home” ranks by the supports too, which no engine is shown.",
      rows: ["medium", "ambiguous", "all"].flatMap((name) => rows.filter((row) => row.class === name)),
      keep,
      draw: {
        series: "ranking",
        panel: "class",
        x: deltaName,
        xLabel: deltaName,
        y: "AP",
        yLabel: "average precision",
      },
    }),
  ]
}

function drawBars(table: Table, Plot: typeof PlotLibrary): PlotLibrary.PlotOptions {
  const rows = recordsOf(table)
  const domain = [...new Set(rows.map(({ ranking }) => String(ranking)))]
  const classes = ["distinct", "medium", "ambiguous", "all"]
  return {
    width: 900,
    marginBottom: 70,
    fx: { domain: classes.filter((name) => rows.some((row) => row.class === name)), label: null, padding: 0.1 },
    x: { domain, label: null, tickRotate: -30 },
    y: { label: "average precision", domain: [0, 1.1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], grid: true, labelArrow: "none" }, // biome-ignore format: an axis
    color: { domain, range: palette },
    marks: [
      Plot.barY(rows, { fx: "class", x: "ranking", y: "AP", fill: "ranking" }),
      Plot.text(rows, { fx: "class", x: "ranking", y: "AP", text: ({ AP }) => Number(AP).toFixed(2), dy: -7 }),
      Plot.ruleY([0]),
    ],
  }
}

function attackFigures(rows: readonly Row[]): Figure[] {
  const bounds: Record<string, string> = { query: "δ for each query", session: "δ for the session too" }
  const drawn = rows.map((row): Row => {
    const bound = bounds[String(row.bound)] ?? ""
    return { ...row, bound, panel: `${row.scope}, ${bound}` }
  })
  return [
    panelFigure({
      id: "eavesdropper",
      title: "What an eavesdropper learns of sensitive topics",
      cites: `${paper}, §3.3`,
      caption:
        "Share of all sensitivity that she recovers from what the tree showed and the public taxonomy, mean over people; of a whole session too, which the paper leaves open. It is at least the risk of eq. 14, which does not count what hides beside visible topics. “with the query”: she also looks up which topics the query can mean, and so which were pruned. These people ask about their sensitive topics, which the paper rules out and of which a searcher is warned: no generalisation hides what the query says. “guessed one”: how often one topic, drawn below each leaf that she saw, is sensitive.",
      rows: drawn.filter(({ scope }) => scope !== "utility"),
      keep: ["panel", "score", deltaName, "value"],
      draw: {
        series: "score",
        panel: "panel",
        columns: 2,
        x: deltaName,
        xLabel: deltaName,
        y: "value",
        yLabel: "share",
      },
    }),
    panelFigure({
      id: "utility",
      title: `Discriminating power that is left, by ${deltaName}`,
      caption:
        "DP of what the tree shows over that of the whole seed profile, mean over all queries; 0 where nothing is shown. Under a bound on the session, what is shown early is paid for later, so that more δ does not always leave more.",
      rows: drawn
        .filter(({ scope }) => scope === "utility")
        .map((row): Row => ({ ...row, bound: String(row.bound).replace("δ for ", "") })),
      keep: ["bound", deltaName, "value"],
      draw: { series: "bound", x: deltaName, xLabel: deltaName, y: "value", yLabel: "share of DP" },
    }),
  ]
}
