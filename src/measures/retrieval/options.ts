import { type Static, Type } from "#typebox"
import { foldOptions } from "../split-users.ts"

/** How searches are held out, how systems rank, and how their lists are graded. */
export const retrievalOptions = Type.Object({
  steps: Type.Integer({ default: 3, minimum: 1, maximum: 10, description: "walk this many random steps" }),
  selfLoop: Type.Number({
    default: 0.1,
    minimum: 0,
    maximum: 0.99,
    description: "stay in place with this chance at each step",
  }),
  lambda: Type.Number({ default: 0.6, minimum: 0, maximum: 100, description: "weigh a click as feedback by this λ" }),
  depth: Type.Integer({ default: 100, minimum: 10, maximum: 10_000, description: "rank this many documents" }),
  grades: Type.Enum(["binary", "clicks"], {
    default: "binary",
    description: "count a clicked document's relevance as 1, or as its clicks",
  }),
  ...foldOptions.properties,
  testQueries: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 100_000_000,
    description: "ask this many queries, drawn from those with a click",
  }),
  draw: Type.Enum(["evenly", "clicks"], {
    default: "evenly",
    description: "draw them evenly, or in proportion to their clicks",
  }),
  margin: Type.Number({
    default: 0.05,
    minimum: 0,
    maximum: 1,
    description: "treat a difference within this share of the original's score as none (equivalence test)",
  }),
})

/** The options of `retrieval`, with defaults filled in. */
export type RetrievalOptions = Static<typeof retrievalOptions>
