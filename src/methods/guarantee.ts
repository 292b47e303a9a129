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

/** The promise of plain k-anonymity, in the words of every manifest that makes it. */
export function promiseEquality(k: number): Static<typeof equalityGuarantee> {
  return {
    model: "equality",
    unit: "query",
    k,
    statement: `Every released query text was issued by at least ${k} different users of the log.`,
    notCovered: [
      "a history: several common queries of one person, read together, can still point to that person",
      "what a common query says about those who issued it, when an adversary knows that someone is among them",
      "users who are several accounts of one person: k accounts are counted as k users",
    ],
  }
}

/** A promise, as data: a union by `model`; each names its unit, its numbers, and what it does not cover. */
export const guaranteeSchema = equalityGuarantee

export type Guarantee = Static<typeof guaranteeSchema>
