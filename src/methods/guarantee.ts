import { type Static, Type } from "typebox"
import { type Unit, units } from "../log/search-log.ts"

const notCovered = Type.Array(Type.String(), { description: "what the guarantee does not protect from" })

/** Plain k-anonymity: every released query was issued by at least k distinct users. */
const equalityGuarantee = Type.Object({
  model: Type.Literal("equality"),
  unit: Type.Literal("query"),
  counted: Type.Enum([...units], { description: "whom the log tells apart and k counts" }),
  k: Type.Integer({ minimum: 1 }),
  statement: Type.String(),
  notCovered,
})

const repeatedPeople = (counted: Unit) =>
  counted === "user"
    ? "users who are several accounts of one person: k accounts are counted as k users"
    : "people who come back: the log was counted by session, and k sessions of one person are counted as k"

/** The promise of plain k-anonymity, in the words of every manifest that makes it. */
export function promiseEquality({ k, counted }: { k: number; counted: Unit }): Static<typeof equalityGuarantee> {
  return {
    model: "equality",
    unit: "query",
    counted,
    k,
    statement:
      counted === "user"
        ? `Every released query text was issued by at least ${k} different users of the log.`
        : `Every released query text was issued in at least ${k} different sessions of the log, which may be of one person.`,
    notCovered: [
      "a history: several common queries of one person, read together, can still point to that person",
      "what a common query says about those who issued it, when an adversary knows that someone is among them",
      repeatedPeople(counted),
    ],
  }
}

/** Generalisation: a concept stands for the searches of at least k distinct users, and only the concept is released. */
const generalisationGuarantee = Type.Object({
  model: Type.Literal("generalisation"),
  unit: Type.Literal("query"),
  counted: Type.Enum([...units], { description: "whom the log tells apart and k counts" }),
  k: Type.Integer({ minimum: 1 }),
  statement: Type.String(),
  notCovered,
})

/** The promise of generalisation, in the words of every manifest that makes it. */
export function promiseGeneralisation({
  k,
  counted,
}: {
  k: number
  counted: Unit
}): Static<typeof generalisationGuarantee> {
  const whose = counted === "user" ? `${k} different users of the log` : `${k} different sessions of the log`
  return {
    model: "generalisation",
    unit: "query",
    counted,
    k,
    statement: `No query text is released. Every released concept stands for searches of at least ${whose}${counted === "user" ? "" : ", which may be of one person"}.`,
    notCovered: [
      "a history: several common concepts of one person, read together, can still point to that person",
      "what a narrow concept says about those it stands for: an illness is one, and k people may share it",
      "clicked urls, which are shown as their policy says: a url can say more than the concept beside it",
      repeatedPeople(counted),
    ],
  }
}

/** k_θ-affinity: a released query and the released queries that are θ-affine to it have at least k distinct users. */
const affinityGuarantee = Type.Object({
  model: Type.Literal("affinity"),
  unit: Type.Literal("query"),
  counted: Type.Enum([...units], { description: "whom the log tells apart and k counts" }),
  k: Type.Integer({ minimum: 1 }),
  theta: Type.Number({ minimum: 0, maximum: 1 }),
  statement: Type.String(),
  notCovered,
})

/** The promise of k_θ-affinity, in the words of every manifest that makes it. */
export function promiseAffinity({
  k,
  theta,
  counted,
}: {
  k: number
  theta: number
  counted: Unit
}): Static<typeof affinityGuarantee> {
  const whose = counted === "user" ? `${k} different users of the log` : `${k} different sessions of the log`
  return {
    model: "affinity",
    unit: "query",
    counted,
    k,
    theta,
    statement: `Every released query text was issued by at least ${whose}, together with the released texts that are similar to it (cosine of concepts at least ${theta})${counted === "user" ? "" : "; the sessions may be of one person"}.`,
    notCovered: [
      "who issued this very text: it may be one person, and whoever saw that person type it finds it in the release",
      "a history: several queries of one person, read together, can still point to that person",
      "a text that an adversary smuggles in by issuing it, joined to a common query, from accounts of his own",
      "what a text says about those who issued it or something similar",
      repeatedPeople(counted),
    ],
  }
}

/** k^δ-anonymity: every user is in a group of at least k whose members have the same matrix of clusters and urls. */
const groupsGuarantee = Type.Object({
  model: Type.Literal("groups"),
  unit: Type.Literal("user"),
  counted: Type.Enum([...units], { description: "whom the log tells apart and k counts" }),
  k: Type.Integer({ minimum: 1 }),
  delta: Type.Number({ minimum: 0, maximum: 1 }),
  mode: Type.Enum(["identical", "exact", "paper"]),
  remains: Type.Optional(
    Type.Object(
      {
        distance: Type.Number({ minimum: 0, maximum: 1 }),
        change: Type.Integer({ minimum: 0 }),
      },
      { description: "the largest distance between a member and its centroid, and the largest change of a total" },
    ),
  ),
  statement: Type.String(),
  notCovered,
})

/** The promise of k^δ-anonymity, in the words of every manifest that makes it; what remains is of mode `paper` only. */
export function promiseGroups({
  k,
  delta,
  mode,
  counted,
  distance,
  change,
}: {
  k: number
  delta: number
  mode: "identical" | "exact" | "paper"
  counted: Unit
  distance: number
  change: number
}): Static<typeof groupsGuarantee> {
  const matrix = `share of searches in each pair of a query cluster (of diameter at most ${delta}) and a clicked url`
  const statements = {
    identical: `Every name in the release has at least ${k - 1} others with the same query texts and clicked urls, each as often.`,
    exact: `Every name in the release has at least ${k - 1} others with the same ${matrix}.`,
    paper: `Every name in the release is in a group of at least ${k} whose members have nearly the same ${matrix}: at most ${distance} from that of the group's centroid, on a scale of 0 to 1.`,
  }
  return {
    model: "groups",
    unit: "user",
    counted,
    k,
    delta,
    mode,
    ...(mode === "paper" && { remains: { distance, change } }),
    statement: `${statements[mode]}${counted === "user" ? "" : " A name is a session, and those of one person may be in one group."}`,
    notCovered: [
      "what the centroid of a group searched for: every member shows it, so who knows a few of a centroid's searches may find the group by them and read the rest",
      "a group whose members all searched for the same: who knows that someone is among them knows it of him",
      "a query cluster that is sensitive by itself",
      ...(mode === "identical"
        ? []
        : ["the texts and times by which the members of a group still differ, and how much each searched"]),
      ...(mode === "paper"
        ? ["the differences that the rounding leaves: they can tell the members of a group apart"]
        : []),
      repeatedPeople(counted),
    ],
  }
}

/** A promise, as data: a union by `model`; each names its unit, its numbers, and what it does not cover. */
export const guaranteeSchema = Type.Union([
  equalityGuarantee,
  affinityGuarantee,
  generalisationGuarantee,
  groupsGuarantee,
])

export type Guarantee = Static<typeof guaranteeSchema>
