import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { SearchLog } from "../log/search-log.ts"
import { type Change, type Explanation, mayLeave, notReleased } from "../methods/explanation.ts"
import { usersOfQuery } from "../methods/users-of-query.ts"
import { formatKinds, type IdentifierKind, type KindSet, kindsIn, noKinds } from "../text/identifiers/kinds.ts"
import { detectKinds } from "../text/identifiers/registry.ts"
import { normaliseQuery } from "../text/normalise.ts"
import { completeOptions, findMethod, type OptionValues, publicParameters, scrubbedBefore } from "./anonymize.ts"
import { scrubLog, scrubRuleOf } from "./scrub.ts"

/** Why a query of a log is or is not in a release. Private: it contains texts and exact counts of the log. */
export interface ExplainedQuery extends Explanation {
  method: string
  /** The normalised text. */
  query: string
  /** Its distinct users and its searches in the log, before anything is scrubbed. */
  users: number
  searches: number
  /** The scrubbed kinds of identifiers that it contains. */
  identifiers: IdentifierKind[]
  /** The options that the release would have, as its manifest would state them. */
  parameters: OptionValues
}

/** Refuses an unknown method, a method that cannot explain, and conflicting options, before a log is read. */
export function checkExplain({ method: name, preset, ...given }: { method: string; preset?: "paper" } & OptionValues) {
  const method = findMethod(name)
  const { explain } = method
  if (explain === undefined) throw new QueryveilError("unknown-name", `${name} has no explanation of single queries.`)
  return { method, explain, parameters: completeOptions(method, given, preset) }
}

/**
 * Explains how the method of this name would treat a query. If the query is scrubbed before the method runs, it is
 * explained as if its kinds were not scrubbed, and each change then says so.
 */
export async function explainAny(
  log: SearchLog,
  choice: { method: string; preset?: "paper" } & OptionValues,
  text: string,
  context: RunContext = createContext(),
): Promise<ExplainedQuery> {
  const { method, explain, parameters } = checkExplain(choice)
  const query = log.queries.find(normaliseQuery(text))
  const { users, searches } = usersOfQuery(log, query)
  if (query < 0 || searches === 0)
    throw new QueryveilError(
      "unknown-name",
      "The log has no such query. Give a whole query, as it was searched for; capitals and spaces do not matter.",
    )
  const { kinds, exempt } = scrubRuleOf(parameters)
  const shown = log.queries.text(query)
  const held = exempt.has(shown) ? noKinds : detectKinds(shown, kinds)
  const before = held & scrubbedBefore(method, parameters).kinds
  const lifted = before === noKinds ? parameters : { ...parameters, scrub: formatKinds(kinds & ~before) }
  const scrubbed = await scrubLog(log, scrubbedBefore(method, lifted), context)
  const found = await explain(scrubbed.log, query, lifted, context)
  return {
    method: method.name,
    query: shown,
    users,
    searches,
    identifiers: kindsIn(held),
    parameters: publicParameters(method, parameters).parameters,
    ...(before === noKinds ? found : withheldFor(before, found, String(lifted.scrub))),
  }
}

/** The explanation of a scrubbed query, made from the explanation of the same query without scrubbing. */
function withheldFor(kinds: KindSet, found: Explanation, scrub: string): Explanation {
  const named = kindsIn(kinds).join(", ")
  const cost = `Other queries with such an identifier (${named}) may be released too: they name people directly.`
  const add = ({ options, price, ...change }: Change): Change => ({
    ...change,
    options: { scrub, ...options },
    price: price === "" ? cost : `${cost} ${price}`,
  })
  const { verdict, chance } = found
  const isOpen = mayLeave(found)
  return {
    ...notReleased,
    reasons: [
      `It has a direct identifier (${named}). It is withheld before the method runs, however many users it has.`,
    ],
    facts: {},
    changes: isOpen
      ? [add({ verdict, chance, options: {}, smallest: true, price: "" })]
      : found.changes.filter(mayLeave).map(add),
    tables: {},
  }
}
