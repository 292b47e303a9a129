import { Type } from "#typebox"
import { scoreSchema } from "../../probes/score.ts"
import { text } from "./parts.ts"

/** The outcome of one attack or measure: its scores, or why it does not apply. */
export const outcomes = Type.Array(
  Type.Object({
    probe: text("name of the attack or measure"),
    scores: Type.Optional(Type.Array(scoreSchema)),
    skipped: Type.Optional(text("why there are no scores")),
  }),
)
