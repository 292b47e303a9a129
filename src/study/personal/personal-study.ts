import { type Static, Type } from "#typebox"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import type { Point, Study } from "../study.ts"
import { personalFigures } from "./figures.ts"
import { computePersonal } from "./points.ts"

const options = Type.Object({
  users: Type.Integer({ default: 50, minimum: 1, description: "made-up people" }),
  interests: Type.Integer({ default: 12, minimum: 3, description: "queries of the log that each is interested in" }),
  pool: Type.Integer({ default: 5000, minimum: 1, description: "queries of the log that are looked at" }),
  delta: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    default: [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1],
    description: "values of δ, separated by commas",
  }),
  sizes: Type.Array(Type.Integer({ minimum: 2 }), {
    default: [10, 20, 40, 60, 80, 108, 200, 400],
    description: "topics of a seed profile, separated by commas",
  }),
  counts: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [1000, 3000, 10_000, 30_000],
    description: "numbers of queries, separated by commas",
  }),
  ...taxonomyOption.properties,
})

/** Fig. 5 to 10 of Shou et al. 2014 on made-up people whose interests are known, and what an eavesdropper learns. */
export const personalStudy: Study<typeof options> = {
  name: "personal",
  summary:
    "personal search over δ, profile size and queries: what is shown, at what risk, how fast, and what it is worth",
  options,
  points: listPoints,
  compute: computePersonal,
  figures: personalFigures,
  notes: () => [
    "People and results are made up, from queries of the log and texts of the taxonomy: what each means is known. How well an engine's answers are re-ranked is therefore that of a clean case, and only comparisons within a figure say something.",
    "No text of a query is on this page.",
  ],
}

function listPoints({ users, interests, pool, delta, sizes, counts, taxonomy }: Static<typeof options>): Point[] {
  const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  const shared = { taxonomy, pool }
  const people = { ...shared, users, interests }
  return [
    { part: "steps", ...people },
    ...["cost", "quality", "attack"].flatMap((part) =>
      rising(delta).map((value) => ({ part, delta: value, ...people })),
    ),
    ...rising(sizes).map((size) => ({ part: "size", size, ...shared })),
    ...rising(counts).map((queries) => ({ part: "count", queries, ...shared })),
  ]
}
