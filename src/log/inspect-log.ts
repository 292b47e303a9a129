import { createContext, type RunContext, yieldAndReport } from "../kernels/context.ts"
import { countNgrams } from "../kernels/ngrams.ts"
import { englishFunctionWords, markFunctionWords, parseFunctionWords } from "../text/function-words.ts"
import { type TokenOptions, tokeniseQueries } from "../text/tokens.ts"
import { type IdentifierPart, measureIdentifiers } from "./identifier-statistics.ts"
import { frequentUsers, type NgramPart, summariseNgrams } from "./ngram-statistics.ts"
import type { SearchLog } from "./search-log.ts"
import {
  countQueries,
  countUsersWithUniqueQuery,
  type ExposurePart,
  type LengthPart,
  type LogSize,
  measureExposure,
  measureLengths,
  measureSize,
  measureSpan,
  type QueryCounts,
  shareOf,
  type TimeSpan,
} from "./statistics.ts"

/**
 * A description of a log in counts. Private: with few users, a count can reveal something about one of them. It never
 * contains query text or user ids.
 */
export interface Inspection {
  tokens: TokenOptions["tokens"]
  size: LogSize
  /** null: the log has no rows. */
  time: TimeSpan | null
  lengths: LengthPart[]
  /** `leastUsers`: the number of users that makes an n-gram frequent. */
  ngrams: { leastUsers: number; lengths: NgramPart[] }
  /** null: no row has a user. */
  exposure: { queries: ExposurePart[]; usersWithUniqueQuery: { users: number; share: number } } | null
  identifiers: IdentifierPart[]
}

/** How queries are split into words for their n-grams. */
export interface InspectOptions extends Partial<TokenOptions> {
  /** Words that do not form a frequent n-gram on their own (default: English function words). */
  functionWords?: Iterable<string>
}

/**
 * Size, time span, lengths, n-grams, exposure and identifiers of a log. Counts are of events, except where they say
 * rows.
 */
export async function inspectLog(
  log: SearchLog,
  options: InspectOptions = {},
  context: RunContext = createContext(),
): Promise<Inspection> {
  const { tokens = "words", functionWords = parseFunctionWords(englishFunctionWords) } = options
  await yieldAndReport(context, { stage: "counting queries", done: 0, total: log.rows })
  const counts = countQueries(log)
  const size = measureSize(log, counts)
  const identifiers = await measureIdentifiers(log, counts, context)
  const { lengths, ngrams } = await measureText(log, counts, { tokens, functionWords, users: size.users }, context)
  const unique = countUsersWithUniqueQuery(log, counts)
  return {
    tokens,
    size,
    time: measureSpan(log),
    lengths,
    ngrams,
    exposure:
      size.users === 0
        ? null
        : {
            queries: measureExposure(counts, size),
            usersWithUniqueQuery: { users: unique, share: shareOf(unique, size.users) },
          },
    identifiers,
  }
}

async function measureText(
  log: SearchLog,
  counts: QueryCounts,
  options: Required<InspectOptions> & { users: number },
  context: RunContext,
): Promise<Pick<Inspection, "lengths" | "ngrams">> {
  const { tokens, functionWords, users } = options
  const { words, ...runs } = await tokeniseQueries(log.queries, { tokens }, context)
  const lengths = measureLengths(runs.offsets, counts)
  const isFunctionWord = markFunctionWords(words, functionWords)
  const rows = { user: log.user, query: log.query, queryEvents: counts.events, queryUsers: counts.users }
  const ngrams = await countNgrams({ ...runs, words: words.size }, { rows }, context)
  const leastUsers = frequentUsers(users)
  return { lengths, ngrams: { leastUsers, lengths: summariseNgrams(ngrams, { isFunctionWord, leastUsers }) } }
}
