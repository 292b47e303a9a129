import { type Static, Type } from "#typebox"
import { graphOptions } from "../../methods/affinity/options.ts"
import { wordnet } from "../../methods/wordnet/wordnet.ts"
import type { Point, Study } from "../study.ts"
import { affinityFigures } from "./affinity-figures.ts"
import { affinityNotes } from "./notes.ts"
import { computePart } from "./points.ts"
import { nameRules, type Rules, ruleSets } from "./rules.ts"

const { theta: _, ...rules } = graphOptions.properties

const options = Type.Object({
  k: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000],
    description: "try these values of k, separated by commas",
  }),
  theta: Type.Array(Type.Number({ minimum: 0.05, maximum: 1 }), {
    default: [1, 0.9, 0.8],
    description: "try these values of θ, separated by commas",
  }),
  ...rules,
  minConceptUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "require this many users of a concept (default 10, and at least one in ten thousand of all users)",
    }),
  ),
  samples: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 1000,
    description: "draw this many random samples of queries",
  }),
  sampleSize: Type.Integer({ default: 5000, minimum: 1, description: "draw this many queries for a sample" }),
  vmax: Type.Array(Type.Integer({ minimum: 1 }), {
    default: [200, 2000],
    description: "try these values of Vmax, the most vertices of a subgraph, separated by commas",
  }),
  subgraphs: Type.Integer({
    default: 300,
    minimum: 1,
    maximum: 1_000_000,
    description: "grow a subgraph around this many queries for each Vmax",
  }),
  depth: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 100,
    description: "count searches at this level of WordNet's tree; 1 is entity",
  }),
  users: Type.Optional(
    Type.Array(Type.String(), { description: "show the queries of these user ids, separated by commas (private)" }),
  ),
})

/**
 * Compares what k_θ-affinity releases with plain k-anonymity and with generalisation: the figures and tables of
 * Carpineto & Romano 2015 for this log. The similarity graph is built once for each θ. One point holds the curves over
 * all k.
 */
export const affinityStudy: Study<typeof options> = {
  name: "affinity",
  summary: "compare affinity with plain k-anonymity and generalisation: the figures of its paper",
  options,
  paper: { ...ruleSets.paper },
  reads: ["labels", "queries"],
  points: listPoints,
  compute: computePart,
  figures: affinityFigures,
  notes: affinityNotes,
}

function listPoints(given: Static<typeof options>): Point[] {
  const { samples, sampleSize, users = [], tokens, functionWords, subgraphs, depth } = given
  const k = ascending(given.k).join()
  const named = JSON.stringify(users)
  const curves = { k, samples, sampleSize, users: named }
  const chosen = chosenRules(given)
  const name = nameRules(chosen)
  const others = (["safe", "paper"] as const).filter((other) => other !== name)
  const thetas = ascending(given.theta).reverse()
  const text = { tokens, functionWords }
  const growing = { vmax: ascending(given.vmax).join(), subgraphs }
  const { counts, split, match } = wordnet.paper
  const generalised = { part: "wordnet", k, users: named }
  return [
    { part: "log", tokens },
    { part: "equality", ...curves },
    ...thetas.map((theta) => ({ part: "affinity", theta, rules: name, ...chosen, ...text, ...curves, ...growing })),
    ...others.flatMap((rules) =>
      thetas.map((theta) => ({ part: "other-rules", theta, rules, ...ruleSets[rules], ...text, k })),
    ),
    { ...generalised, mode: "safe", counts: "users", split: "finest", match: "content" },
    { ...generalised, mode: "paper", counts: String(counts), split: String(split), match: String(match), depth },
  ]
}

const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)

function chosenRules({ conceptRule, minConceptUsers, minTermUsers }: Static<typeof options>): Rules {
  return {
    conceptRule,
    ...(minConceptUsers === undefined ? {} : { minConceptUsers }),
    ...(minTermUsers === undefined ? {} : { minTermUsers }),
  }
}
