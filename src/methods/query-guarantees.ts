import { type Static, Type } from "#typebox"
import { count } from "../kernels/number-words.ts"
import type { Unit } from "../log/search-log.ts"
import { counted, notCovered, repeatedPeople } from "./guarantee-parts.ts"
import { type GuaranteeModel, sayK, sayMany } from "./traits.ts"

const whoseMany = (k: number, counted: Unit) => `${k} different ${counted}s of the log`

const whichMayBe = (counted: Unit) => (counted === "user" ? "" : ", which may be of one person")

const sessionsMayBe = (counted: Unit) => (counted === "user" ? "" : "; the sessions may be of one person")

/** Plain k-anonymity: every released query was issued by at least k distinct users. */
export const equalityGuaranteeSchema = Type.Object({
  model: Type.Literal("equality"),
  unit: Type.Literal("query"),
  counted,
  k: Type.Integer({ minimum: 1 }),
  statement: Type.String(),
  notCovered,
})

/** Builds the guarantee of plain k-anonymity, in the wording that every manifest uses. */
export function equalityGuarantee({
  k,
  counted,
}: {
  k: number
  counted: Unit
}): Static<typeof equalityGuaranteeSchema> {
  return {
    model: "equality",
    unit: "query",
    counted,
    k,
    statement:
      counted === "user"
        ? `Every released query text was issued by at least ${k} different users of the log.`
        : [
            `Every released query text was issued in at least ${k} different sessions of the log,`,
            "which may be of one person.",
          ].join(" "),
    notCovered: [
      "a history: several common queries of one person, read together, can still point to that person",
      "what a common query says about those who issued it, when an adversary knows that someone is among them",
      repeatedPeople(counted),
    ],
  }
}

/** Generalisation: only concepts are released, and each covers the searches of at least k distinct users. */
export const generalisationGuaranteeSchema = Type.Object({
  model: Type.Literal("generalisation"),
  unit: Type.Literal("query"),
  counted,
  counts: Type.Optional(
    Type.Literal("queries", {
      description: "k counts query texts, as the paper does: nothing is promised about people",
    }),
  ),
  k: Type.Integer({ minimum: 1 }),
  statement: Type.String(),
  notCovered,
})

/** Builds the guarantee of generalisation, in the wording that every manifest uses. */
export function generalisationGuarantee({
  k,
  counted,
  counts,
}: {
  k: number
  counted: Unit
  counts: "users" | "queries"
}): Static<typeof generalisationGuaranteeSchema> {
  if (counts === "queries") return promiseTexts({ k, counted })
  return {
    model: "generalisation",
    unit: "query",
    counted,
    k,
    statement: [
      "No query text is released.",
      `Every released concept stands for searches of at least ${whoseMany(k, counted)}${whichMayBe(counted)}.`,
    ].join(" "),
    notCovered: [
      "a history: several common concepts of one person, read together, can still point to that person",
      "what a narrow concept says about those it stands for: an illness is one, and k people may share it",
      "clicked urls, which are shown as their policy says: a url can say more than the concept beside it",
      repeatedPeople(counted),
    ],
  }
}

/** The guarantee of generalisation if k counts texts: it promises nothing about people. */
function promiseTexts({ k, counted }: { k: number; counted: Unit }): Static<typeof generalisationGuaranteeSchema> {
  return {
    model: "generalisation",
    unit: "query",
    counted,
    counts: "queries",
    k,
    statement: [
      "Nothing is promised about people.",
      "No query text is released, and every released concept stands",
      `for at least ${k} different query texts of the log, which may all be of one person.`,
    ].join(" "),
    notCovered: [
      "people: k query texts of one person are counted as k",
      "a history: several concepts of one person, read together, can point to that person",
      "clicked urls, which are shown as their policy says: a url can say more than the concept beside it",
    ],
  }
}

/** k_θ-affinity: a released query and the released queries that are θ-affine to it have at least k distinct users. */
export const affinityGuaranteeSchema = Type.Object({
  model: Type.Literal("affinity"),
  unit: Type.Literal("query"),
  counted,
  k: Type.Integer({ minimum: 1 }),
  theta: Type.Number({ minimum: 0, maximum: 1 }),
  statement: Type.String(),
  notCovered,
})

interface AffinityNumbers {
  k: number
  theta: number
  counted: Unit
}

/**
 * The guarantee in manifests of version 0.1. They made the same promise in other words, and the statement did not begin
 * with what it leaves open.
 */
export function earlierAffinityGuarantee(numbers: AffinityNumbers): Static<typeof affinityGuaranteeSchema> {
  const { k, theta, counted } = numbers
  const present = affinityGuarantee(numbers)
  return {
    ...present,
    statement: [
      `Every released query text was issued by at least ${whoseMany(k, counted)},`,
      "together with the released texts that are similar to it",
      `(cosine of concepts at least ${theta})${sessionsMayBe(counted)}.`,
    ].join(" "),
    notCovered: present.notCovered.map((gap) => (gap === smuggledText ? earlierSmuggledText : gap)),
  }
}

const smuggledText =
  "a text that an attacker smuggles in by issuing it, joined to a common query, from accounts of their own"
const earlierSmuggledText =
  "a text that an adversary smuggles in by issuing it, joined to a common query, from accounts of his own"

/** Builds the guarantee of k_θ-affinity, in the wording that every manifest uses. */
export function affinityGuarantee({ k, theta, counted }: AffinityNumbers): Static<typeof affinityGuaranteeSchema> {
  return {
    model: "affinity",
    unit: "query",
    counted,
    k,
    theta,
    statement: [
      "A released query text may have been typed by one person alone.",
      `At least ${whoseMany(k, counted)} issued it or a released text that is similar to it`,
      `(cosine of concepts at least ${theta})${sessionsMayBe(counted)}.`,
    ].join(" "),
    notCovered: [
      "who issued this very text: it may be one person, and whoever saw that person type it finds it in the release",
      "a history: several queries of one person, read together, can still point to that person",
      smuggledText,
      "what a text says about those who issued it or something similar",
      repeatedPeople(counted),
    ],
  }
}

/** Plain k-anonymity as a guarantee model. */
export const equalityModel: GuaranteeModel<typeof equalityGuaranteeSchema> = {
  name: "equality",
  releases: "rows",
  schema: equalityGuaranteeSchema,
  traits: (guarantee) => ({
    shows: "queries",
    shownUnder: "searcher",
    promised: guarantee.k > 1,
    inWords: sayK(guarantee.k, `k = ${guarantee.k}: at least ${sayMany(guarantee)} issued each query in the release.`),
  }),
}

/** k_θ-affinity as a guarantee model. */
export const affinityModel: GuaranteeModel<typeof affinityGuaranteeSchema> = {
  name: "affinity",
  releases: "rows",
  schema: affinityGuaranteeSchema,
  traits: (guarantee) => ({
    shows: "queries",
    shownUnder: "searcher",
    promised: guarantee.k > 1,
    inWords: sayK(
      guarantee.k,
      [
        `k = ${guarantee.k}: at least ${sayMany(guarantee)} issued a released query`,
        "or one that is similar to it.",
        "One of them alone may have typed this very text.",
      ].join(" "),
    ),
    scrubsItself: ["person"], // a query of k users may contain a name
  }),
}

/** Generalisation as a guarantee model. */
export const generalisationModel: GuaranteeModel<typeof generalisationGuaranteeSchema> = {
  name: "generalisation",
  releases: "rows",
  schema: generalisationGuaranteeSchema,
  traits: (guarantee) => {
    const { k, counts } = guarantee
    const isPromised = k > 1 && counts !== "queries"
    return {
      shows: "concepts",
      shownUnder: "searcher",
      promised: isPromised,
      inWords: sayK(
        k,
        isPromised
          ? `k = ${k}: every concept in the release stands for searches of at least ${sayMany(guarantee)}.`
          : [
              `k = ${k}: every concept in the release stands for at least ${count(k)} query texts,`,
              "which may all be of one person.",
            ].join(" "),
      ),
    }
  },
}
