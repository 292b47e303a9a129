import { type Static, Type } from "#typebox"
import { tokenOptions } from "../../text/tokens.ts"
import type { Point, Study } from "../study.ts"
import { affinityFigures, affinityNotes } from "./figures.ts"
import { computePart } from "./points.ts"

const options = Type.Object({
  k: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000],
    description: "values of k, separated by commas",
  }),
  theta: Type.Array(Type.Number({ minimum: 0.05, maximum: 1 }), {
    default: [1, 0.9, 0.8],
    description: "values of θ, separated by commas",
  }),
  minConceptUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "users that make words a concept (default: 10, and at least one in ten thousand of all users)",
    }),
  ),
  minTermUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "users that every word of a query with a concept needs (default: as for a concept; the paper: 2)",
    }),
  ),
  samples: Type.Integer({ default: 10, minimum: 2, maximum: 1000, description: "random samples of queries" }),
  sampleSize: Type.Integer({ default: 5000, minimum: 1, description: "queries of a sample" }),
  users: Type.Optional(
    Type.Array(Type.String(), { description: "user ids whose queries to show, separated by commas (private)" }),
  ),
  ...tokenOptions.properties,
})

/**
 * What k_θ-affinity releases beside plain k-anonymity and generalisation: the figures and tables of Carpineto & Romano
 * 2015 for this log. The similarity graph is built once for each θ, and a point holds its curves over all k.
 */
export const affinityStudy: Study<typeof options> = {
  name: "affinity",
  summary: "k-anonymity under affinity beside plain k-anonymity and generalisation: the figures of its paper, exactly",
  options,
  reads: ["labels", "queries"],
  points: listPoints,
  compute: computePart,
  figures: affinityFigures,
  notes: affinityNotes,
}

function listPoints(given: Static<typeof options>): Point[] {
  const { k, theta, samples, sampleSize, users = [], minConceptUsers, minTermUsers, tokens } = given
  const ks = [...new Set(k)].sort((a, b) => a - b).join()
  const curves = { k: ks, samples, sampleSize, users: JSON.stringify(users) }
  const concepts = {
    tokens,
    ...(minConceptUsers === undefined ? {} : { minConceptUsers }),
    ...(minTermUsers === undefined ? {} : { minTermUsers }),
  }
  const thetas = [...new Set(theta)].sort((a, b) => b - a)
  return [
    { part: "log", tokens },
    { part: "equality", ...curves },
    ...thetas.map((value) => ({ part: "affinity", theta: value, ...curves, ...concepts })),
    { part: "wordnet", k: ks },
  ]
}
