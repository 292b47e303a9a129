import type { Figure } from "../../study.ts"
import { panelFigure, type Row } from "../../swap/rows.ts"
import { deltaName, paper } from "./names.ts"

/** §3.3: what an eavesdropper learns. */
export function attackFigures(rows: readonly Row[]): Figure[] {
  const bounds: Record<string, string> = {
    query: "δ for each query",
    session: "δ for the session too",
    forbidding: "forbidding, no δ",
  }
  const drawn = rows.map((row): Row => {
    const bound = bounds[String(row.bound)] ?? ""
    return { ...row, bound, panel: `${row.scope}, ${bound}` }
  })
  return [
    panelFigure({
      id: "eavesdropper",
      title: "What an eavesdropper learns about sensitive topics",
      cites: `${paper}, §3.3`,
      caption: [
        "Share of all sensitivity that an eavesdropper recovers from what was shown and from the public taxonomy.",
        "Means over people, for one query and for a whole session. The paper leaves sessions open.",
        "The share is at least the risk of eq. 14, which does not count topics hidden next to visible ones.",
        "“with the query”: the eavesdropper also looks up which topics the query can mean,",
        "and so which were pruned.",
        "People may ask about their sensitive topics. The paper rules this out,",
        "and a searcher is warned of it: no generalisation hides what the query says.",
        "“forbidding” leaves out sensitive topics and ignores risk (§3.2).",
        "“guessed one”: how often one topic, drawn below each leaf that the eavesdropper saw, is sensitive.",
      ].join(" "),
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
      caption: [
        "DP of what is shown, as a share of the DP of the whole seed profile. Mean over all queries;",
        "0 if nothing is shown.",
        "Under a bound on the session, what is shown early leaves less for later.",
        "More δ therefore does not always leave more.",
      ].join(" "),
      rows: drawn
        .filter(({ scope }) => scope === "utility")
        .map((row): Row => ({ ...row, bound: String(row.bound).replace("δ for ", "") })),
      keep: ["bound", deltaName, "value"],
      draw: { series: "bound", x: deltaName, xLabel: deltaName, y: "value", yLabel: "share of DP" },
    }),
  ]
}
