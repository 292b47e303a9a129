import { type Static, Type } from "#typebox"
import { insiderChance } from "../kernels/derangements.ts"
import type { Unit } from "../log/search-log.ts"
import { counted, notCovered, repeatedPeople } from "./guarantee-parts.ts"

/** What the attacker found who, of those that were tried before the release was written, was right most often. */
const largestLinkage = Type.Object({
  attacker: Type.String(),
  share: Type.Number({ description: "of the records for which the attacker named somebody, those named rightly" }),
  named: Type.Integer(),
  tried: Type.Optional(Type.Integer({ description: "how many attackers there were; six where it is not said" })),
  over: Type.Optional(
    Type.Boolean({ description: "whether so many right names refute that each is right with chance 1/k at most" }),
  ),
})

export type LargestLinkage = Static<typeof largestLinkage>

/** Probabilistic k-anonymity of records: users were swapped among searches of one topic. */
export const swapGuarantee = Type.Object({
  model: Type.Literal("swap"),
  unit: Type.Literal("record"),
  counted,
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

/** What becomes of a query that comes back after it was released. */
export const repeatRules = ["keep", "once", "never"] as const
/** One of `repeatRules`: released again, or not for the same user, or for nobody. */
export type RepeatRule = (typeof repeatRules)[number]

const comparable: Record<RepeatRule, string[]> = {
  keep: [
    "queries that a user issues again and again: the user is in every cell they leave with, and the others change",
  ],
  once: [
    "texts that leave with several cells: none leaves twice for one user, so that comparing the cells rules users out",
  ],
  never: [],
}

const swapNotCovered = (counted: Unit, repeats: RepeatRule) => [
  "the text: it is released as it was typed, and a text can name a person by itself",
  "the topics: a user is shown with queries of topics that the user did search",
  "habits that an adversary knows: texts that are likelier for one user of a cell than for the others",
  ...comparable[repeats],
  "texts of a day: one that is out of date points to a user who searches much, whose queries wait longest",
  "how often a query was repeated while it waited: many repeats point to a user who searches much",
  "texts that several users of a cell issued: the more of them, the likelier each of them issued it",
  repeatedPeople(counted),
]

interface Swapping {
  k: number
  counted: Unit
  repeats: RepeatRule
  mode: "strict" | "paper"
  ownTimes: boolean
  measured: LargestLinkage
}

/**
 * What a manifest says of swapping. The promise rests on an assumption about what the adversary can tell apart; where an
 * attacker who holds the release alone has refuted it, nothing is promised.
 */
export function guaranteeSwap(about: Swapping): Static<typeof swapGuarantee> {
  return about.ownTimes || about.measured.over === true ? describeSwap(about) : promiseSwap(about)
}

function promiseSwap({ k, counted, repeats, measured }: Swapping): Static<typeof swapGuarantee> {
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

function whyNot({ mode, ownTimes }: Swapping): string {
  if (mode === "paper")
    return "users were swapped by the paper's algorithm, whose 1/k does not hold where some users search more than others"
  return ownTimes
    ? "each record shows its own time, which betrays who waited"
    : "what is released of this log tells users apart who were swapped, for some of its records"
}

function describeSwap(about: Swapping): Static<typeof swapGuarantee> {
  const { k, counted, repeats, measured } = about
  return {
    model: "swap",
    unit: "record",
    counted,
    k,
    promised: false,
    measured,
    statement: `Nothing is promised: ${whyNot(about)}. Of the attackers that were tried, the best (${measured.attacker}) named the right user for a share of ${shown(measured.share)} of the ${measured.named} records for which it named somebody.`,
    notCovered: swapNotCovered(counted, repeats),
  }
}
