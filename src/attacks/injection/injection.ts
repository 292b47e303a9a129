import { Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { RandomSource } from "../../kernels/random.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import { hasQueries, type Probe } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import { makeDraft, type OptionValues } from "../../release/anonymize.ts"
import { repeatable } from "../run-again.ts"
import { injectSearches } from "./inject-searches.ts"

const options = Type.Object({
  injected: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 100_000,
    description: "injection: try to have this many private words published",
  }),
  accounts: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 1000,
    description: "injection: use this many accounts",
  }),
})

/** The method that others are compared with. */
const reference = "equality"

/** The number of most frequent queries that the adversary attaches words to, in turn. */
const hosts = 20

/**
 * The adversary wants to get something private about another person published. Before the log is released they issue
 * it, joined to a very frequent query, from each of their accounts: Carpineto & Romano 2015, §5.
 *
 * The words are injected into a copy of the log, and the method of the release runs again with the release's own
 * parameters. The attack succeeds if the text is in the result. The same is done under plain k-anonymity for
 * comparison, where the adversary needs k accounts.
 */
export const injection: Probe<typeof options> = {
  name: "injection",
  summary: "private words that an attacker gets published by joining them to a frequent query, from a few accounts",
  options,
  applies: (subject) => {
    if (subject.log.users.size === 0) return "the log has no users"
    const again = repeatable(subject.release.manifest)
    return again === true ? hasQueries(subject) : again
  },
  async run({ release, log }, values, context) {
    const { method, parameters, guarantee } = release.manifest
    const texts = composeTexts(log, { ...values, k: guarantee.k }, context.random)
    const injected = injectSearches(log, { texts, accounts: values.accounts })
    const released = (under: { method: string } & OptionValues) =>
      countReleased(injected, { under, first: log.queries.size }, context)
    const own = await released({ ...parameters, method })
    const { scrub } = parameters
    const n = texts.length
    const score = (at: NonNullable<Finding["at"]>, count: number): Finding => {
      const interval = wilsonInterval(count, n)
      return { score: "injection", at, value: count / n, interval, n, baseline: 1, chance: 0, better: "lower" }
    }
    const { accounts } = values
    const found = score({ accounts }, own)
    if (method === reference) return [found]
    const plain = await released({ method: reference, k: guarantee.k, ...(scrub === undefined ? {} : { scrub }) })
    // The reference method is not part of this release, so it is not judged.
    return [found, { ...score({ accounts, method: reference }, plain), chance: null }]
  },
}

/**
 * Invented words that are not in the log, each in front of one of the most frequent queries. These hosts have at least
 * k users, if any query has.
 */
function composeTexts(log: SearchLog, options: { injected: number; k: number }, random: RandomSource): string[] {
  const { injected, k } = options
  const { users } = countQueries(log)
  const most = users.reduce((found, count) => Math.max(found, count), 0)
  const frequent = Array.from(users.keys())
    .filter((query) => users[query] >= Math.min(k, most))
    .sort((a, b) => users[b] - users[a] || Buffer.compare(log.queries.bytes(a), log.queries.bytes(b)))
    .slice(0, hosts)
  const texts = new Set<string>()
  while (texts.size < injected) {
    const text = `${inventWord(random)} ${log.queries.text(frequent[texts.size % frequent.length])}`
    if (log.queries.find(text) < 0) texts.add(text)
  }
  return [...texts]
}

/** A pronounceable word of ten letters: five pairs of a consonant and a vowel. */
function inventWord(random: RandomSource): string {
  const one = (letters: string) => letters[random.below(letters.length)]
  return Array.from({ length: 5 }, () => one("bcdfghjklmnprstvwz") + one("aeiou")).join("")
}

/** How many of the queries from `first` on a method releases. */
async function countReleased(
  log: SearchLog,
  { under, first }: { under: { method: string } & OptionValues; first: number },
  context: RunContext,
): Promise<number> {
  const draft = await makeDraft(log, under, context)
  if (draft.kind !== "rows") throw new QueryveilError("internal", `${under.method} releases tables.`)
  const { rows } = draft
  const found = new Set<number>()
  for (const row of rows.order) if (rows.log.query[row] >= first) found.add(rows.log.query[row])
  return found.size
}
