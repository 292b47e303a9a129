import type { Figure, PointResult } from "../../study.ts"
import { gather, panelFigure } from "../../swap/rows.ts"
import { byClass, deltaName, nameDelta, paper } from "./names.ts"

/** Fig. 6 to 8: the cost of generalising. */
export function costFigures(results: readonly PointResult[]): Figure[] {
  const cost = nameDelta(gather(results, "cost", []))
  const sizes = gather(results, "size", ["size"])
  const counts = gather(results, "count", [])
  const keep = ["class", "algorithm", deltaName, "topics", "iterations", "microseconds", "n"]
  const timed = cost.filter(({ algorithm }) => algorithm !== "optimal")
  return [
    panelFigure({
      id: "iterations",
      title: `Topics pruned one after the other, by ${deltaName}`,
      cites: `${paper}, Fig. 6(a)`,
      caption:
        "Mean over all people's queries of the class. GreedyDP always goes on to the root. For the tree, which does not work step by step, topics that it left out; for the optimum, rooted subtrees that exhaustion would look at. “whole profile”: some people's whole profiles as seeds.",
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
      keep: ["algorithm", "topics", "microseconds", "times GreedyIL"],
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
        "The queries of all people, over and over, δ = 0.1, one after the other on one core; beside it what it takes to find the topics of the queries.",
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
