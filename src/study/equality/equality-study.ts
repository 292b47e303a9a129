import { Type } from "#typebox"
import { attacks } from "../../attacks/registry.ts"
import { measures } from "../../measures/registry.ts"
import { runProbes, scoresOf, selectProbes } from "../../probes/run-probes.ts"
import type { Score } from "../../probes/score.ts"
import { makeDraft } from "../../release/anonymize.ts"
import { openDraft } from "../../release/read-release.ts"
import { shareCurves } from "../figures/curves.ts"
import { type Figure, type PointResult, type Study, tabulateScores } from "../study.ts"

const options = Type.Object({
  k: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000],
    description: "try these values of k, separated by commas",
  }),
})

const probes = selectProbes(
  [...measures, ...attacks],
  ["events-kept", "queries-kept", "top-queries", "top-urls", "secrets"],
)

/**
 * What plain k-anonymity releases, how useful that is, and what attacks still find, as k grows. These are the EQ curves
 * of Carpineto & Romano 2015.
 */
export const equalityStudy: Study<typeof options> = {
  name: "equality",
  summary: "vary k of plain k-anonymity: what is released, how useful it stays, which secrets survive",
  options,
  points: ({ k }) => [...new Set(k)].sort((a, b) => a - b).map((value) => ({ k: value })),
  async compute(point, subject, context) {
    const draft = await makeDraft(subject.log, { ...point, method: "equality", scrub: "none" }, context)
    const outcomes = await runProbes(probes, { ...subject, release: openDraft(draft) }, {}, context)
    return { scores: scoresOf(outcomes) }
  },
  figures: (results) =>
    [
      curves(results, {
        id: "released",
        title: "What is released, by k",
        cites: "Carpineto & Romano 2015, Fig. 5(a), curve EQ",
        caption: "Share of the log's distinct queries, and of its events, whose query at least k users issued.",
        only: ({ score }) => score === "queries-kept" || score === "events-kept",
      }),
      curves(results, {
        id: "top",
        title: "The most frequent queries and urls, by k",
        caption: "Share of the log's most frequent queries and urls that are the release's most frequent too.",
        only: ({ probe }) => probe === "top-queries" || probe === "top-urls",
      }),
      curves(results, {
        id: "secrets",
        title: "Planted secrets that survive, by k",
        caption: "Share of lines with a planted secret whose text is in the release, with 95 % Wilson intervals.",
        only: ({ probe, score }) => probe === "secrets" && score === "secrets",
      }),
    ].filter(({ data }) => data.rows > 0),
}

function curves(
  results: readonly PointResult[],
  { only, ...figure }: Omit<Figure, "data" | "plot"> & { only: (score: Score) => boolean },
): Figure {
  return {
    ...figure,
    data: tabulateScores(results, { by: ["k"], only }),
    plot: (data, canvas) => shareCurves(data, "k", canvas),
  }
}
