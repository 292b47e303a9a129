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
      title: "What an eavesdropper learns of sensitive topics",
      cites: `${paper}, §3.3`,
      caption:
        "Share of all sensitivity that she recovers from what was shown and the public taxonomy, mean over people; of a whole session too, which the paper leaves open. It is at least the risk of eq. 14, which does not count what hides beside visible topics. “with the query”: she also looks up which topics the query can mean, and so which were pruned. People may ask about their sensitive topics, which the paper rules out and of which a searcher is warned: no generalisation hides what the query says. “forbidding” leaves sensitive topics out and looks at no risk (§3.2). “guessed one”: how often one topic, drawn below each leaf that she saw, is sensitive.",
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
        "DP of what is shown over that of the whole seed profile, mean over all queries; 0 where nothing is shown. Under a bound on the session, what is shown early is paid for later, so that more δ does not always leave more.",
      rows: drawn
        .filter(({ scope }) => scope === "utility")
        .map((row): Row => ({ ...row, bound: String(row.bound).replace("δ for ", "") })),
      keep: ["bound", deltaName, "value"],
      draw: { series: "bound", x: deltaName, xLabel: deltaName, y: "value", yLabel: "share of DP" },
    }),
  ]
}
