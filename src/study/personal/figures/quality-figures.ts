import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../../kernels/table.ts"
import { greys, palette } from "../../figures/colours.ts"
import { type Canvas, type Figure, recordsOf } from "../../study.ts"
import { nearest, panelFigure, type Row, tableFigureData } from "../../swap/rows.ts"
import { classText, deltaName, paper } from "./names.ts"

/** Fig. 9 and 10: how much an exposure improves the ranking. */
export function qualityFigures(rows: readonly Row[]): Figure[] {
  const means = ["AP", "low", "high", "gain", "gain low", "gain high"]
  const keep = ["class", "ranking", deltaName, ...means, "covered", "n", "judged by"]
  const delta = nearest(rows, deltaName, 0.1)
  return [
    {
      id: "precision",
      title: `Average precision before and after, ${deltaName} = ${delta}`,
      cites: `${paper}, Fig. 9`,
      caption: [
        "Average precision as in eq. 19. Orders are fused by Borda from the engine's order and UPRank by what",
        "was shown (eq. 20).",
        "low and high: 95 % interval, with people as the sampled units. gain: over the engine's order,",
        "search by search.",
        "covered: share of what the profile has about the query that is at or below a leaf that was shown.",
        classText,
      ].join(" "),
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
      caption: [
        "“forbidding” leaves out sensitive topics and ignores risk (§3.2).",
        "“whole seed” shows everything that the profile has about the query.",
        "“at home” also ranks by the supports, which no engine sees.",
        "“tree, then at home” does so after an engine has ranked by what the tree showed (Fig. 1, step 4).",
      ].join(" "),
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

function drawBars(table: Table, { Plot, isNarrow }: Canvas): PlotLibrary.PlotOptions {
  const rows = recordsOf(table)
  const domain = [...new Set(rows.map(({ ranking }) => String(ranking)))]
  const classes = ["distinct", "medium", "ambiguous", "all"]
  return {
    width: isNarrow ? 360 : 900,
    marginBottom: 70,
    fx: { domain: classes.filter((name) => rows.some((row) => row.class === name)), label: null, padding: 0.1 },
    x: { domain, label: null, tickRotate: -30 },
    y: {
      label: "average precision",
      domain: [0, 1.1],
      ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
      grid: true,
      labelArrow: "none",
    },
    color: { domain, range: [...palette] },
    marks: [
      Plot.barY(rows, { fx: "class", x: "ranking", y: "AP", fill: "ranking" }),
      Plot.ruleX(rows, { fx: "class", x: "ranking", y1: "low", y2: "high", stroke: greys.soft }),
      Plot.text(rows, { fx: "class", x: "ranking", y: "high", text: ({ AP }) => Number(AP).toFixed(2), dy: -7 }),
      Plot.ruleY([0]),
    ],
  }
}
