import { type Static, Type } from "#typebox"
import { decisionRules } from "../../personal/expose-profile.ts"
import { denominators } from "../../personal/metrics.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import type { Point, PointResult, Study, StudySubject } from "../study.ts"
import { gather } from "../swap/rows.ts"
import { algorithms } from "./algorithms.ts"
import { personalFigures } from "./figures/personal-figures.ts"
import { peopleSources } from "./people.ts"
import { computePersonal } from "./points.ts"
import { boundSources } from "./world.ts"

const options = Type.Object({
  people: Type.Enum([...peopleSources], {
    default: "log",
    description: "use profiles of the log's users, learned from the first half of their searches, or synthetic ones",
  }),
  users: Type.Integer({
    default: 50,
    minimum: 1,
    description: "study this many people; from the log, those with the most clicks",
  }),
  asked: Type.Integer({ default: 40, minimum: 3, description: "study this many queries of each person" }),
  pool: Type.Integer({ default: 5000, minimum: 1, description: "find classes from this many queries of the log" }),
  bounds: Type.Enum([...boundSources], {
    default: "log",
    description:
      "set the bounds between clear and ambiguous queries by k-means over the log's queries, or as in the paper",
  }),
  algorithm: Type.Enum(Object.keys(algorithms), {
    default: "tree",
    description: "use this generaliser in the figures on decision and eavesdropper",
  }),
  decision: Type.Enum([...decisionRules], {
    default: "off",
    description:
      "send a query without a profile by this rule in the figures on precision and eavesdropper; off as in Fig. 9",
  }),
  denominator: Type.Enum([...denominators], {
    default: "query",
    description: "divide a query's discriminating power by this in that decision",
  }),
  mu: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    default: [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.82, 0.9, 1],
    description: "try these values of μ in the figure on the decision, separated by commas",
  }),
  delta: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    default: [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1],
    description: "try these values of δ, separated by commas",
  }),
  sizes: Type.Array(Type.Integer({ minimum: 2 }), {
    default: [10, 20, 40, 60, 80, 108, 200, 400],
    description: "try these numbers of topics of a seed profile, separated by commas",
  }),
  counts: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [1000, 3000, 10_000, 30_000],
    description: "try these numbers of queries, separated by commas",
  }),
  ...taxonomyOption.properties,
})

/**
 * Fig. 5 to 10 of Shou et al. 2014 for the people of a log, the effect of the online decision, and what an eavesdropper
 * learns.
 */
export const personalStudy: Study<typeof options> = {
  name: "personal",
  summary:
    "vary δ, profile size and queries of personal search: what is shown, at what risk, how fast, what it is worth",
  options,
  points: listPoints,
  compute: computePersonal,
  figures: personalFigures,
  notes: listNotes,
}

function listPoints(given: Static<typeof options>): Point[] {
  const { mu, delta, sizes, counts, decision, denominator, algorithm, ...people } = given
  const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  const decided = { decision, denominator }
  // The δ of Fig. 9, or the nearest value to it.
  const [usual = 0.1] = [...delta].sort((a, b) => Math.abs(a - 0.1) - Math.abs(b - 0.1))
  return [
    { part: "census", ...people },
    { part: "steps", ...people },
    ...rising(delta).map((value) => ({ part: "cost", delta: value, ...people })),
    ...rising(delta).map((value) => ({ part: "quality", delta: value, ...decided, ...people })),
    ...rising(mu).map((value) => ({ part: "clarity", mu: value, delta: usual, algorithm, ...people })),
    ...rising(delta).map((value) => ({ part: "attack", delta: value, algorithm, ...decided, ...people })),
    ...rising(sizes).map((size) => ({ part: "size", size, ...people })),
    ...rising(counts).map((queries) => ({ part: "count", queries, ...people })),
  ]
}

/** Who was studied, and how results were judged. */
function listNotes(_: StudySubject, results: readonly PointResult[]): string[] {
  const [people] = gather(results, "people", [])
  const found = Number(people?.people ?? 0)
  const isSynthetic = results.some(({ point }) => point.people === "synthetic")
  const who = isSynthetic
    ? "People are synthetic, from queries of the log and texts of the taxonomy. What each of them means is known."
    : found === 0
      ? "No person of the log has enough searches to learn a profile from and to ask again. Try --people synthetic."
      : [
          `People are ${found} users of the log.`,
          "Profiles are learned from the first half of each person's searches and clicks.",
          "Queries are from the second half. Sensitive topics are drawn at random.",
        ].join(" ")
  const how =
    people?.["judged by"] === "clicks"
      ? [
          "Average precision is over real clicks.",
          "A log has no lists of results. The results of a query are all urls that anyone clicked for it,",
          "by their mean rank.",
        ].join(" ")
      : [
          "Results are synthetic, from texts of the taxonomy.",
          "They show how well answers of an engine are re-ranked in a clean case.",
          "Only comparisons within a figure are meaningful.",
        ].join(" ")
  return [who, ...(found > 0 ? [how] : []), "No query text is on this page."]
}
