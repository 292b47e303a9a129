import { type Static, Type } from "#typebox"
import { retrievalOptions } from "../../measures/retrieval/options.ts"
import type { Point, Study } from "../study.ts"
import { countsFigures, countsNotes } from "./figures.ts"
import { computeCountsPart } from "./points.ts"

const scale = [10, 20, 50, 100, 200, 500]

const options = Type.Object({
  epsilon: Type.Array(Type.Number({ minimum: 0.001 }), {
    default: [1, 2, 4, 8, 16, 32, 64],
    description: "values of ε, separated by commas",
  }),
  delta: Type.Number({
    default: 1e-6,
    minimum: 1e-100,
    maximum: 0.5,
    description: "δ of the approximate mode",
  }),
  maxKeys: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: [1, 5, 20],
    description: "values of ℓ₀, most distinct keys of one user that count in each table, separated by commas",
  }),
  noiseScale: Type.Array(Type.Number({ minimum: 0.001 }), {
    default: scale,
    description: "values of b, the paper's scale of the noise, separated by commas",
  }),
  cutoff: Type.Array(Type.Integer({ minimum: 0 }), {
    default: scale,
    description: "values of K, the paper's cut-off, separated by commas",
  }),
  firstQueries: Type.Integer({
    default: 100,
    minimum: 1,
    description: "the paper's q_f, searches of a user that count",
  }),
  firstClicks: Type.Integer({ default: 100, minimum: 1, description: "the paper's c_f, clicks of a user that count" }),
  ...retrievalOptions.properties,
  draw: Type.Enum(["evenly", "clicks"], {
    default: "clicks",
    description: "each query with a click is as likely to be asked as another, or in proportion to its clicks",
  }),
})

/** The paper's setting for its Tables 4 and 5. */
const own = { noiseScale: 10, cutoff: 500 }

/**
 * Noisy counts and what a search engine learns from them: the tables and the figure of Zhang, Yang & Singh 2016 for this
 * log, and the modes that keep what they promise beside the paper's algorithm, over ε. Every point is a release of the log
 * and, for each fold, one of its other users.
 */
export const countsStudy: Study<typeof options> = {
  name: "counts",
  summary: "noisy counts over ε, b and K: what is released, and what it is worth for search, in each mode",
  options,
  points: listPoints,
  compute: computeCountsPart,
  figures: countsFigures,
  notes: countsNotes,
}

function listPoints(given: Static<typeof options>): Point[] {
  const { epsilon, delta, maxKeys, noiseScale, cutoff, firstQueries, firstClicks, ...judging } = given
  const [epsilons, bounds, scales, cutoffs] = [rising(epsilon), rising(maxKeys), rising(noiseScale), rising(cutoff)]
  const published = { mode: "paper", firstQueries, firstClicks, ...judging }
  const [least = own.cutoff] = cutoffs
  // The scale at which composition would cost ε, were all keys public.
  const scaleFor = (value: number) => Number(((2 * firstQueries - 1 + firstClicks) / value).toPrecision(4))
  return [
    { part: "log" },
    ...rising([own.cutoff, least]).map((K) => ({ part: "tables", ...published, ...own, cutoff: K })),
    ...scales.flatMap((b) => cutoffs.map((K) => ({ part: "grid", ...published, noiseScale: b, cutoff: K }))),
    ...epsilons.flatMap((value): Point[] => [
      ...bounds.flatMap((l0) =>
        ["approximate", "optimal", "pure"].map((mode) => ({
          part: "epsilon",
          mode,
          epsilon: value,
          ...(mode === "pure" ? {} : { delta }),
          maxKeys: l0,
          ...judging,
        })),
      ),
      ...rising([least, cutoffs.at(-1) ?? least]).map((K) => {
        return { part: "epsilon", ...published, epsilon: value, noiseScale: scaleFor(value), cutoff: K }
      }),
    ]),
  ]
}

const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
