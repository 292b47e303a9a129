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
      caption: [
        "Mean over all people's queries of the class. GreedyDP always continues to the root.",
        "The tree does not work step by step: its value is the number of topics that it left out.",
        "The value of the optimum is the number of rooted subtrees that an exhaustive search would examine.",
        "“whole profile”: the whole profiles of some people as seeds.",
      ].join(" "),
      rows: cost,
      keep,
      draw: { ...byClass, x: deltaName, xLabel: deltaName, y: "iterations", yLabel: "iterations", yScale: "root" },
    }),
    panelFigure({
      id: "time",
      title: `Time of one generalisation, by ${deltaName}`,
      cites: `${paper}, Fig. 6(b)`,
      caption: "Mean, without the mapping of the query. Compare times only within this run.",
      rows: timed,
      keep,
      draw: { ...byClass, x: deltaName, xLabel: deltaName, y: "microseconds", yLabel: "µs", yScale: "log" },
    }),
    panelFigure({
      id: "size",
      title: "Time of one generalisation, by the size of the seed profile",
      cites: `${paper}, Fig. 7 (up to 108 topics)`,
      caption: [
        "Mean over 20 seed profiles, made of topics of several queries. All leaves are equally preferred.",
        "The greedy algorithms have δ = 0, so that they prune everything.",
        "The tree has δ = 0.1: for δ = 0 it sees at once that nothing can be shown.",
      ].join(" "),
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
      caption: [
        "The queries of all people, repeated, with δ = 0.1, one after the other on one core.",
        "For comparison, the time to find the topics of the queries.",
      ].join(" "),
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
