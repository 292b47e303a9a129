import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../../kernels/table.ts"
import { greys, palette } from "../../figures/colours.ts"
import { spreadLabels } from "../../figures/curves.ts"
import { type Canvas, type Figure, recordsOf } from "../../study.ts"
import { panelFigure, type Row, tableFigureData } from "../../swap/rows.ts"
import { byClass, classText, paper } from "./names.ts"

/** Fig. 5: metrics while topics are pruned. */
export function stepFigures(steps: readonly Row[]): Figure[] {
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
      caption: [
        "GreedyIL, the same queries. The ring is the knee:",
        "the point farthest above the line between the ends, with both axes scaled to [0, 1].",
      ].join(" "),
      data: tableFigureData(
        steps.filter(({ algorithm }) => algorithm === "GreedyIL"),
        keep,
      ),
      plot: drawTradeOff,
    },
  ]
}

function drawTradeOff(table: Table, { Plot }: Canvas): PlotLibrary.PlotOptions {
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
    color: { domain: [...last.keys()], range: [...palette] },
    marks: [
      Plot.frame({ stroke: greys.frame }),
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
