import { type Static, Type } from "typebox"
import { insiderChance } from "../kernels/derangements.ts"
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

/** What the attacker found who, of those that were tried before the release was written, was right most often. */
const largestLinkage = Type.Object({
  attacker: Type.String(),
  share: Type.Number({ description: "of the records for which the attacker named somebody, those named rightly" }),
  named: Type.Integer(),
})

export type LargestLinkage = Static<typeof largestLinkage>

/** Probabilistic k-anonymity of records: users were swapped among searches of one topic. */
const swapGuarantee = Type.Object({
  model: Type.Literal("swap"),
  unit: Type.Literal("record"),
  counted: Type.Enum([...units], { description: "whom the log tells apart and k counts" }),
  k: Type.Integer({ minimum: 2 }),
  promised: Type.Boolean({ description: "false: nothing is promised" }),
  posterior: Type.Optional(
    Type.Number({ description: "the largest chance of naming the user of a record, for who knows nobody's record" }),
  ),
  insider: Type.Optional(Type.Number({ description: "the same for one who is a member of the record's cell" })),
  measured: largestLinkage,
  statement: Type.String(),
  notCovered,
})

const swapNotCovered = (counted: Unit, repeats: "keep" | "once") => [
  "the text: it is released as it was typed, and a text can name a person by itself",
  "the topics: a user is shown with queries of topics that the user did search",
  "habits that an adversary knows: texts that are likelier for one user of a cell than for the others",
  ...(repeats === "once"
    ? []
    : ["queries that a user issues again and again: the user is in every cell they leave with, and the others change"]),
  "how often a query was repeated while it waited: many repeats point to a user who searches much",
  "texts that several users of a cell issued: the more of them, the likelier each of them issued it",
  repeatedPeople(counted),
]

/** The promise of swapping, in the words of every manifest that makes it. */
export function promiseSwap(about: {
  k: number
  counted: Unit
  repeats: "keep" | "once"
  measured: LargestLinkage
}): Static<typeof swapGuarantee> {
  const { k, counted, repeats, measured } = about
  const [posterior, insider] = [1 / k, insiderChance(k + 1)]
  const whose = counted === "user" ? "users" : "sessions, which may be of one person"
  return {
    model: "swap",
    unit: "record",
    counted,
    k,
    promised: true,
    posterior,
    insider,
    measured,
    statement: `The searches of a topic were dealt out by chance among ${k + 1} different ${whose}, none back to its own. To whom each of these could have issued each of their queries equally well, the chance of naming the one of a released record is at most ${shown(posterior)}, and ${shown(insider)} to one of them.`,
    notCovered: swapNotCovered(counted, repeats),
  }
}

const shown = (chance: number) => String(Number(chance.toPrecision(4)))

/** What a manifest says where users were swapped in a way that nothing can be promised of. */
export function describeSwap(about: {
  k: number
  counted: Unit
  repeats: "keep" | "once"
  mode: "strict" | "paper"
  measured: LargestLinkage
}): Static<typeof swapGuarantee> {
  const { k, counted, repeats, mode, measured } = about
  const why =
    mode === "paper"
      ? "users were swapped by the paper's algorithm, whose 1/k does not hold where some users search more than others"
      : "each record shows its own time, which betrays who waited"
  return {
    model: "swap",
    unit: "record",
    counted,
    k,
    promised: false,
    measured,
    statement: `Nothing is promised: ${why}. Of the attackers that were tried, the best (${measured.attacker}) named the right user for a share of ${shown(measured.share)} of the ${measured.named} records for which it named somebody.`,
    notCovered: swapNotCovered(counted, repeats),
  }
}

/** A promise about released rows, as data: a union by `model`; each names its unit, its numbers, and what it does not cover. */
export const guaranteeSchema = Type.Union([
  equalityGuarantee,
  affinityGuarantee,
  generalisationGuarantee,
  swapGuarantee,
])

export type Guarantee = Static<typeof guaranteeSchema>
