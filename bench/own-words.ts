import type { SearchLog } from "#dist/log/search-log.js"
import { englishFunctionWords, parseFunctionWords } from "#dist/text/function-words.js"

/** First quartile, median and third quartile. */
type Quartiles = readonly [number, number, number]

/** How often people return to words that at most `limit` users have. */
interface OwnWords {
  limit: number
  /**
   * Among the queries with such a word, the share in which such a word also occurs in another distinct query of the
   * same user.
   */
  share: number
  /** The same queries as a share of all distinct queries of their user: quartiles over users. */
  perUser: Quartiles
}

export interface OwnWordFigures {
  /** Distinct queries per user, over all users. */
  queriesPerUser: Quartiles
  words: readonly OwnWords[]
}

/** Measured on a real log of heavy users, 973 of them with at least 20 distinct queries, at 408 rows per user. */
export const realOwnWords: OwnWordFigures = {
  queriesPerUser: [119, 174, 235],
  words: [
    { limit: 1, share: 0.41, perUser: [0.033, 0.06, 0.104] },
    { limit: 4, share: 0.48, perUser: [0.109, 0.166, 0.242] },
    { limit: 9, share: 0.51, perUser: [0.19, 0.265, 0.357] },
    { limit: 29, share: 0.59, perUser: [0.365, 0.462, 0.568] },
  ],
}

const fewestQueries = 20
const functionWords = parseFunctionWords(englishFunctionWords)

/**
 * Runs of two or more letters or digits that are not function words, so that `www.example.com` and `example` share a
 * word.
 */
const wordsOf = (query: string) =>
  new Set((query.match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !functionWords.has(word)))

/**
 * How often the users of a log return to their own words, by brute force. Queries are normalised and distinct per user.
 * Words are counted over the users of the whole log; shares are of users with at least 20 distinct queries. A user's
 * share is over all their queries, with a rare word or not. With this reading, the log of the first model (version 0.1)
 * gives the figures that were reported for it, to 0.002.
 */
export function measureOwnWords(log: SearchLog): OwnWordFigures {
  const queriesOf = new Map<number, Set<number>>()
  for (let row = 0; row < log.rows; row++) {
    const user = log.user[row] ?? 0
    const held = queriesOf.get(user) ?? new Set<number>()
    queriesOf.set(user, held.add(log.query[row] ?? 0))
  }
  const wordsOfUsers = [...queriesOf.values()].map((queries) =>
    [...queries].map((query) => wordsOf(log.queries.text(query))),
  )
  const usersOf = countEach(wordsOfUsers.map((queries) => new Set(queries.flatMap((words) => [...words]))))
  const words = realOwnWords.words.map(({ limit }) => {
    let rare = 0
    let again = 0
    const shares: number[] = []
    for (const queries of wordsOfUsers.filter(({ length }) => length >= fewestQueries)) {
      const rareWords = queries.map((held) => [...held].filter((word) => (usersOf.get(word) ?? 0) <= limit))
      const queriesWith = countEach(rareWords)
      const returned = rareWords.filter((held) => held.some((word) => (queriesWith.get(word) ?? 0) > 1)).length
      rare += rareWords.filter(({ length }) => length > 0).length
      again += returned
      shares.push(returned / queries.length)
    }
    return { limit, share: again / rare, perUser: quartiles(shares) }
  })
  return { queriesPerUser: quartiles(wordsOfUsers.map(({ length }) => length)), words }
}

/** The number of lists that contain each word. */
function countEach(lists: Iterable<Iterable<string>>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function quartiles(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN
  return [at(0.25), at(0.5), at(0.75)]
}

/** The figures by name, as a bench reports and prints them. */
export function nameFigures({ queriesPerUser, words }: OwnWordFigures): Record<string, number> {
  const named: Record<string, number> = {}
  const add = (name: string, values: Quartiles) => {
    values.forEach((value, i) => {
      named[`${name}, ${["first quartile", "median", "third quartile"][i]}`] = value
    })
  }
  add("distinct queries per user", queriesPerUser)
  for (const { limit, share, perUser } of words) {
    named[`own words, ≤ ${limit} users`] = share
    add(`own words, ≤ ${limit} users, per user`, perUser)
  }
  return named
}
