import { type Static, Type } from "#typebox"
import { retrievalOptions } from "../../measures/retrieval/options.ts"
import { checkPool } from "../../methods/counts/open-pool.ts"
import { poolOptions, transitionOptions } from "../../methods/counts/options.ts"
import type { Point, Study } from "../study.ts"
import { countsFigures, countsNotes } from "./counts-figures.ts"
import { computeCountsPart } from "./points.ts"

const scale = [10, 20, 50, 100, 200, 500]

const options = Type.Object({
  epsilon: Type.Array(Type.Number({ minimum: 0.001 }), {
    default: [1, 2, 4, 8, 16, 32, 64],
    description: "try these values of ε, separated by commas",
  }),
  delta: Type.Number({
    default: 1e-6,
    minimum: 1e-100,
    maximum: 0.5,
    description: "use this δ in the approximate mode",
  }),
  maxKeys: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: [1, 5, 20],
    description:
      "try these values of ℓ₀, the most distinct keys of a user that count in each table, separated by commas",
  }),
  noiseScale: Type.Array(Type.Number({ minimum: 0.001 }), {
    default: scale,
    description: "try these values of b, the paper's scale of the noise, separated by commas",
  }),
  cutoff: Type.Array(Type.Integer({ minimum: 0 }), {
    default: scale,
    description: "try these values of K, the paper's cut-off, separated by commas",
  }),
  firstQueries: Type.Integer({
    default: 100,
    minimum: 1,
    description: "count this many searches of a user, the paper's q_f",
  }),
  firstClicks: Type.Integer({
    default: 100,
    minimum: 1,
    description: "count this many clicks of a user, the paper's c_f",
  }),
  draws: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 1000,
    description: "draw the noise this often for each fold at each b and K",
  }),
  ...poolOptions.properties,
  ...transitionOptions.properties,
  ...retrievalOptions.properties,
  draw: Type.Enum(["evenly", "clicks"], {
    default: "clicks",
    description: "draw queries with a click evenly, or in proportion to their clicks",
  }),
})

/** The paper's setting for its Tables 4 and 5. */
const own = { noiseScale: 10, cutoff: 500 }

/**
 * Noisy counts and what a search engine learns from them: the tables and the figure of Zhang, Yang & Singh 2016 for
 * this log. It also compares the modes that keep their promise with the paper's algorithm, over ε.
 *
 * Every point is one release of the log and, for each fold, one release of the users outside the fold, or several if
 * the noise is drawn again. With a pool, the paper's algorithm is judged with its step 3 and without.
 */
export const countsStudy: Study<typeof options> = {
  name: "counts",
  summary: "vary ε, b and K of counts: what is released, and what it is worth for search, in each mode",
  options,
  points: listPoints,
  compute: computeCountsPart,
  figures: countsFigures,
  notes: countsNotes,
}

function listPoints(given: Static<typeof options>): Point[] {
  checkPool(given)
  const { epsilon, delta, maxKeys, noiseScale, cutoff, firstQueries, firstClicks, draws, ...rest } = given
  const { pool, poolNgrams, poolMinFrequency, poolFrequencies, poolUrls, ...judging } = rest
  const [epsilons, bounds, scales, cutoffs] = [rising(epsilon), rising(maxKeys), rising(noiseScale), rising(cutoff)]
  const reading = { ...(poolNgrams && { poolNgrams }), poolMinFrequency, ...(poolFrequencies && { poolFrequencies }) }
  const pools = pool === undefined ? {} : { pool, ...reading }
  const urls = poolUrls === undefined ? {} : { poolUrls }
  const published = { mode: "paper", firstQueries, firstClicks, ...judging }
  const limited: Record<string, Point> = {
    approximate: { delta },
    optimal: { delta },
    korolova: { delta, ...urls },
    pure: { ...pools, ...urls },
  }
  const [least = own.cutoff] = cutoffs
  // The noise scale at which composition would cost ε if all keys were public.
  const scaleFor = (value: number) => Number(((2 * firstQueries - 1 + firstClicks) / value).toPrecision(4))
  return [
    { part: "log" },
    ...rising([own.cutoff, least]).flatMap((K) => {
      const point = { part: "tables", ...published, ...own, cutoff: K }
      return pool === undefined ? [point] : [point, { ...point, ...pools }]
    }),
    ...scales.flatMap((b) =>
      cutoffs.map((K) => ({ part: "grid", ...published, ...pools, noiseScale: b, cutoff: K, draws })),
    ),
    ...epsilons.flatMap((value): Point[] => [
      ...bounds.flatMap((l0) =>
        Object.entries(limited).map(([mode, own]): Point => {
          return { part: "epsilon", mode, epsilon: value, maxKeys: l0, ...own, ...judging }
        }),
      ),
      ...rising([least, cutoffs.at(-1) ?? least]).map((K) => {
        return { part: "epsilon", ...published, epsilon: value, noiseScale: scaleFor(value), cutoff: K }
      }),
    ]),
  ]
}

const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
