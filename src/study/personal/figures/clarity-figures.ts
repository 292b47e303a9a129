import type { Figure, PointResult } from "../../study.ts"
import { gather, panelFigure, type Row, tableFigureData } from "../../swap/rows.ts"
import { deltaName, paper } from "./names.ts"

const ruleNames: Record<string, string> = { off: "no decision", mu: "μ", gain: "μ and gain" }
const readings: Record<string, string> = { query: "", profile: ", by profile" }

/** Ex4, clarity: the effect of the online decision, and the classes of queries that it is based on. */
export function clarityFigures(results: readonly PointResult[]): Figure[] {
  const rows = gather(results, "clarity", []).map((row): Row => {
    const rule = ruleNames[String(row.decision)] ?? ""
    return { ...row, decision: row.decision === "off" ? rule : `${rule}${readings[String(row.denominator)] ?? ""}` }
  })
  const drawn = rows.filter(({ decision, denominator }) => decision !== "no decision" || denominator === "query")
  const shares = ["personalised", "AP", "risk"].flatMap((what) =>
    drawn.map((row): Row => ({ ...row, what, value: row[what] ?? 0 })),
  )
  const classes = gather(results, "classes", [])
  return [
    panelFigure({
      id: "clarity",
      title: "What the decision to personalise does, by μ",
      cites: `${paper}, §5.2 and §7.5`,
      caption: [
        `${deltaName} = ${rows[0]?.delta}. A query with DP(q, R) ≥ μ is sent without a profile.`,
        "“and gain”: so is a query if what may be shown has no higher DP than the query alone.",
        "“by profile”: DP(q, R) is divided as DP(q, G) is, the other reading of eq. 12.",
        "personalised: share of searches with which something is shown. AP: average precision over all.",
        "risk: mean over all.",
      ].join(" "),
      rows: shares,
      keep: ["what", "decision", "mu", "value"],
      draw: { series: "decision", panel: "what", x: "mu", xLabel: "μ", y: "value", yLabel: "" },
    }),
    {
      id: "decisions",
      title: "Decisions by μ, under both readings of DP(q, R)",
      cites: `${paper}, §5.1.1 and §5.2`,
      caption: [
        "flipped: how many of the n decisions change under the other reading. AP:",
        "average precision over the searches that can be judged.",
        "low and high: 95 % interval of AP.",
      ].join(" "),
      data: tableFigureData(drawn, [
        "decision",
        "mu",
        "personalised",
        "risk",
        "flipped",
        "n",
        "AP",
        "low",
        "high",
        "judged",
      ]),
    },
    {
      id: "classes",
      title: "Distinct, medium and ambiguous queries",
      cites: `${paper}, §7.1`,
      caption: [
        "Bounds of DP(q, R): by k-means over queries of this log, and the paper's for AOL's log.",
        "Then the share of queries in each class.",
      ].join(" "),
      data: tableFigureData(classes, Object.keys(classes[0] ?? {})),
    },
  ]
}
