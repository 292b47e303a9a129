import { type Static, Type } from "typebox"

const notCovered = Type.Array(Type.String(), { description: "what the guarantee does not protect from" })

/** Plain k-anonymity: every released query was issued by at least k distinct users. */
const equalityGuarantee = Type.Object({
  model: Type.Literal("equality"),
  unit: Type.Literal("query"),
  k: Type.Integer({ minimum: 1 }),
  statement: Type.String(),
  notCovered,
})

/** A promise, as data: a union by `model`; each names its unit, its numbers, and what it does not cover. */
export const guaranteeSchema = equalityGuarantee

export type Guarantee = Static<typeof guaranteeSchema>
