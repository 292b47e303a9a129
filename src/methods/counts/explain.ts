import type { RunContext } from "../../kernels/context.ts"
import { approximate } from "../../kernels/noise/rational.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countOf, type Explanation, outcomeOf } from "../explanation.ts"
import { usersOfQuery } from "../users-of-query.ts"
import { type CountedQuery, countQuery } from "./count-query.ts"
import { changeCounts } from "./explain-changes.ts"
import { openLists, planMode } from "./open-mode.ts"
import type { CountsOptions } from "./options.ts"
import { type Mechanism, planApproximate } from "./plan-mechanisms.ts"
import { type CountsSubject, chanceOfQuery, formatChance, type QueryChance } from "./query-chance.ts"

const trueCounts = [
  "TRUE COUNTS, PRIVATE: what follows is exact and has no noise.",
  "It must not be published.",
  "No noise was drawn, and no budget is spent.",
].join(" ")
const chosen =
  "Options chosen from this answer are chosen by looking at the log. The changes say so (--chosen-on-data)."

/** Computes the chance that the table of queries shows a query, from its true count. */
export async function explainCounts(
  log: SearchLog,
  query: number,
  options: CountsOptions,
  context: RunContext,
): Promise<Explanation> {
  const lists = await openLists(options, context)
  const place = lists.pool.texts.find(log.queries.text(query))
  const frequency = place < 0 ? 0 : (lists.pool.frequencies?.[place] ?? 0)
  const [mechanism] = planMode(options, lists, planApproximate).mechanisms
  const counted = await countQuery(log, query, { options, mechanism }, context)
  const subject = { lists, counted, isPublic: place >= 0, frequency }
  const chance = chanceOfQuery(mechanism, subject)
  const { users, searches } = usersOfQuery(log, query)
  return {
    ...outcomeOf(chance.low, chance.high),
    reasons: [
      trueCounts,
      [
        `${countOf(users, log.unit)} issued it, ${searches} times.`,
        `${boundsIn(options, mechanism)}, ${countedIn(counted)}.`,
      ].join(" "),
      ...reasonsOf(mechanism, subject, chance),
      chosen,
    ],
    facts: factsOf(mechanism, subject, { users, searches }),
    changes: changeCounts(subject, { options, mechanism, chance }),
    tables: {},
  }
}

function boundsIn({ mode, bound }: CountsOptions, { l0, perKey }: Mechanism): string {
  if (mode === "paper" || mode === "korolova") return `Of the first ${l0} searches of each user`
  const which = bound === "random" ? "drawn at random" : "the first"
  return [
    `Of at most ${l0} queries of each user, ${which},`,
    `each counted ${perKey === 1 ? "once" : `at most ${perKey} times`}`,
  ].join(" ")
}

function countedIn({ most, isRandom, removed }: CountedQuery): string {
  if (removed !== undefined) return `it is not counted: ${removed}`
  const users = countOf(most.users, "user")
  return `its count is ${isRandom ? "at most " : ""}${most.total}, from ${users}`
}

function reasonsOf(
  mechanism: Mechanism,
  { counted, isPublic, frequency }: CountsSubject,
  chance: QueryChance,
): string[] {
  const { selection, threshold, scale, minUsers, keys } = mechanism
  if (keys === "public" && !isPublic) return ["The public list does not have it, and nothing else can be shown."]
  const least = Math.max(1, minUsers)
  if (!isPublic && counted.most.users < least)
    return [`Fewer than ${countOf(least, "user")} count for it (--min-users): it is not shown, whatever the noise.`]
  const added = frequency > 0 ? ` The public list adds ${frequency}.` : ""
  const at = selection?.threshold ?? threshold ?? Number.NEGATIVE_INFINITY
  const noise = approximate(selection?.scale ?? scale).toPrecision(4)
  const bounds =
    chance.low === chance.high
      ? formatChance(chance.low)
      : `between ${formatChance(chance.low)} and ${formatChance(chance.high)}`
  return [
    [
      `It is shown, with a noisy count, if its count with noise of scale ${noise} reaches ${at}.${added}`,
      `The chance of that is ${bounds}.`,
    ].join(" "),
  ]
}

function factsOf(
  mechanism: Mechanism,
  { counted, isPublic }: CountsSubject,
  raw: { users: number; searches: number },
): Explanation["facts"] {
  const { l0, perKey, minUsers, selection, scale, keys } = mechanism
  const threshold = selection?.threshold ?? mechanism.threshold
  return {
    users: raw.users,
    searches: raw.searches,
    "users that count": counted.most.users,
    count: counted.most.total,
    "queries of a user that count": l0,
    "most of one user": perKey,
    "noise scale": approximate(selection?.scale ?? scale),
    ...(threshold !== undefined && { threshold }),
    "users needed": minUsers,
    keys,
    "in the public list": isPublic ? "yes" : "no",
  }
}
