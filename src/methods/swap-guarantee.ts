import { type Static, Type } from "#typebox"
import { insiderChance } from "../kernels/derangements.ts"
import type { Unit } from "../log/search-log.ts"
import { counted, notCovered, repeatedPeople } from "./guarantee-parts.ts"
import { endsWithCell, lastsForEver, type NameLifetime, nameLifetimes } from "./name-lifetime.ts"
import { type GuaranteeModel, sayK } from "./traits.ts"

/**
 * The most successful of the attackers that were run against the release before it was written. All counts are of
 * units.
 */
const largestLinkage = Type.Object(
  {
    attacker: Type.String(),
    share: Type.Number({
      description: "right names among the searches that the attacker named; rounded up to hundredths since 0.2",
    }),
    named: Type.Integer({ description: "searches that the attacker named; two digits since 0.2" }),
    tried: Type.Optional(Type.Integer({ description: "how many attackers there were (default 6)" })),
    over: Type.Optional(
      Type.Boolean({ description: "true if so many right names refute that each is right with chance 1/k at most" }),
    ),
    few: Type.Optional(
      Type.Boolean({ description: "true if there are too few searches to refute that 1/k is true of names that last" }),
    ),
    knownSearches: Type.Optional(
      Type.Number({
        description: "how often the name of a person is found by an attacker who knows two of their searches",
      }),
    ),
  },
  { additionalProperties: false },
)

export type LargestLinkage = Static<typeof largestLinkage>

/** Probabilistic k-anonymity of records: users were swapped among searches of one topic. */
export const swapGuarantee = Type.Object({
  model: Type.Literal("swap"),
  unit: Type.Literal("record"),
  counted,
  k: Type.Integer({ minimum: 2 }),
  names: Type.Optional(
    Type.Enum([...nameLifetimes], { description: "how long a name lasts (in 0.1: the parameter users)" }),
  ),
  promised: Type.Boolean({ description: "false: nothing is promised" }),
  posterior: Type.Optional(
    Type.Number({
      description: "largest chance of naming the user of a search, for an attacker who holds the release",
    }),
  ),
  insider: Type.Optional(Type.Number({ description: "the same for an attacker who is a member of the search's cell" })),
  measured: largestLinkage,
  stream: Type.Optional(
    Type.Object(
      { longerNamesBefore: Type.Boolean({ description: "true if the stream released names that last longer before" }) },
      { additionalProperties: false, description: "a period of a live stream, whose rows are released one by one" },
    ),
  ),
  statement: Type.String(),
  notCovered,
})

/** What happens to a query that is issued again after it was released. */
export const repeatRules = ["keep", "once", "never"] as const
/** One of `repeatRules`: the query is released again, or not again for the same user, or not again for anybody. */
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

/** What a name reveals beyond its cell. */
function namesNotCovered({ users, measured }: Swapping): string[] {
  if (endsWithCell(users)) return []
  const { knownSearches } = measured
  if (knownSearches === undefined) return ["known searches: they may show which name is a person's"]
  return [
    [
      "known searches: an attacker who knows two released searches of a person",
      `finds the person's name in ${percent(knownSearches)} of cases`,
    ].join(" "),
  ]
}

const sharedTexts = "texts that several users of a cell issued: the more of them, the likelier each of them issued it"

const unseen = "searches that the attackers did not see: they were run against a sample of the release"

const swapNotCovered = (about: Swapping) => [
  "the text: what a user typed is released, only normalised, and a text can name a person by itself",
  "the topics: a user is shown with queries of topics that the user did search",
  "habits that an attacker knows: a text that fits one user of a cell better than the others",
  ...(endsWithCell(about.users) ? [] : comparable[about.repeats]),
  "texts of a day: an outdated text points to a user who searches much, whose queries wait longest",
  "how often a query was repeated while it waited: many repeats point to a user who searches much",
  ...(about.distinctTexts ? [] : [sharedTexts]),
  ...namesNotCovered(about),
  ...(about.isSample === true && !endsWithCell(about.users) ? [unseen] : []),
  ...(about.stream === undefined ? [] : streamNotCovered(about)),
  repeatedPeople(about.counted),
]

const streamNotCovered = ({ users }: Swapping) => [
  "the stream itself: whoever received it also saw in which order cells closed",
  ...(endsWithCell(users) ? [] : ["other periods of the stream: a name that lasts is the same there"]),
]

/** How users were swapped, and what the attackers found. */
export interface Swapping {
  k: number
  counted: Unit
  repeats: RepeatRule
  mode: "strict" | "paper"
  users: NameLifetime
  /** True if no two users of a cell have the same text. */
  distinctTexts: boolean
  ownTimes: boolean
  /** True if the attackers saw only a part of what is released. */
  isSample?: boolean
  measured: LargestLinkage
  /** Set for a period of a live stream. Says whether its earlier names lasted longer. */
  stream?: { longerNamesBefore: boolean } | undefined
}

/**
 * Builds the guarantee of swapping for a manifest. Nothing is promised in paper mode, with own times, under names that
 * join all searches of a user, in a stream whose earlier names lasted longer, if an attacker who holds only the release
 * has refuted the promise, or if names last longer than a cell and there are too few searches to refute it.
 */
export function guaranteeSwap(about: Swapping): Static<typeof swapGuarantee> {
  const why = whyNot(about)
  const { k, counted, measured, users: names } = about
  const head = { model: "swap" as const, unit: "record" as const, counted, k, names }
  const tail = { measured, ...(about.stream && { stream: about.stream }), notCovered: swapNotCovered(about) }
  if (why !== undefined)
    return { ...head, promised: false, statement: `Nothing is promised: ${why}.${bestOf(about)}`, ...tail }
  const [posterior, insider] = [1 / k, insiderChance(k + 1)]
  const whose = counted === "user" ? "users" : "sessions, which may be of one person,"
  const statement = [
    `The searches of a topic were dealt out at random among ${k + 1} different ${whose}, none back to its own.`,
    premise[about.users] ?? lasting,
    `An attacker who holds the release names the right ${counted} of a search with a chance of at most`,
    `${shown(posterior)}, and of at most ${shown(insider)} if they are one of the ${k + 1}.`,
  ].join(" ")
  return { ...head, promised: true, posterior, insider, statement, ...tail }
}

const premise: Partial<Record<NameLifetime, string>> = {
  cell: "Each name is used once, so nothing joins one search to another.",
  drop: "No names are shown.",
}

const lasting =
  "This assumes that each of them could have issued each of these searches, whatever else a name is shown with."

const shown = (chance: number) => String(Number(chance.toPrecision(4)))

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Why nothing is promised; undefined if something is promised. */
function whyNot({ mode, ownTimes, users, measured, k, stream }: Swapping): string | undefined {
  if (mode === "paper")
    return "users were swapped by the paper's algorithm, whose 1/k fails where some users search more than others"
  if (ownTimes) return "each search shows its own time, which shows who waited"
  if (lastsForEver(users))
    return "one name joins all searches of a user, and searches that share rare words show which name issued them"
  if (stream?.longerNamesBefore === true)
    return [
      "earlier releases of the stream have names that last longer,",
      "and the words of these texts can be linked to them",
    ].join(" ")
  if (measured.over === true) return `an attacker names users of this release more often than 1 in ${k}`
  if (measured.few === true)
    return "its names last longer than a cell, and it has too few searches to test whether they lead to their users"
  return undefined
}

function bestOf({ measured: { attacker, share, named }, counted }: Swapping): string {
  if (named === 0) return ""
  return [
    ` The best attacker (${attacker}) named the right ${counted}`,
    `for ${percent(share)} of about ${named} searches that it named.`,
  ].join(" ")
}

/** Swapped users as a guarantee model. */
export const swapModel: GuaranteeModel<typeof swapGuarantee> = {
  name: "swap",
  releases: "rows",
  schema: swapGuarantee,
  traits: ({ k, counted, names, promised }) => ({
    shows: "queries",
    shownUnder: "cell",
    lasts: names,
    promised: k > 1 && promised,
    inWords: sayK(
      k,
      promised
        ? `k = ${k}: each search is shown under the name of one of ${k} other ${counted}s, by chance.`
        : `k = ${k} was given to the algorithm, but no chance of 1 in ${k} follows from it.`,
    ),
  }),
}
