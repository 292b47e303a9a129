import { type Static, Type } from "#typebox"
import { foldOptions } from "../split-users.ts"

/** How searches are held out, how systems rank, and how their lists are graded. */
export const retrievalOptions = Type.Object({
  steps: Type.Integer({ default: 3, minimum: 1, maximum: 10, description: "steps of the random walk" }),
  selfLoop: Type.Number({ default: 0.1, minimum: 0, maximum: 0.99, description: "chance that a step of it stays" }),
  lambda: Type.Number({ default: 0.6, minimum: 0, maximum: 100, description: "weight λ of a click as feedback" }),
  depth: Type.Integer({ default: 100, minimum: 10, maximum: 10_000, description: "documents in a ranked list" }),
  grades: Type.Enum(["binary", "clicks"], {
    default: "binary",
    description: "a clicked document's relevance: 1, or its clicks",
  }),
  ...foldOptions.properties,
  testQueries: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 100_000_000,
    description: "queries to ask, drawn from those with a click",
  }),
  draw: Type.Enum(["evenly", "clicks"], {
    default: "evenly",
    description: "each of these is as likely as another, or in proportion to its clicks",
  }),
  margin: Type.Number({
    default: 0.05,
    minimum: 0,
    maximum: 1,
    description: "a difference within this share of what the original scores is none (equivalence test)",
  }),
})

/** The options of `retrieval`, defaults filled in. */
export type RetrievalOptions = Static<typeof retrievalOptions>
