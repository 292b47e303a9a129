import { Type } from "#typebox"
import { count, maybeNumber, range, table, text } from "./parts.ts"

/** One number about a release, with what is needed to judge it. Every answer with scores describes them by this. */
export const score = Type.Object({
  name: text(),
  value: maybeNumber("null: there was nothing to divide by"),
  interval: Type.Optional(range("95 % interval")),
  n: Type.Optional(count("out of how many")),
  baseline: Type.Optional(maybeNumber("what the original, or a guess, scores")),
  better: Type.Enum(["higher", "lower"]),
  series: Type.Optional(table("a curve, where the score is one point of it")),
})

/** What came of one attack or measure: its scores, or why it does not apply. */
export const outcomes = Type.Array(
  Type.Object({
    probe: text("name of the attack or measure"),
    scores: Type.Optional(Type.Array(score)),
    skipped: Type.Optional(text("why there are no scores")),
  }),
)
