import { dictionaryOf } from "../../../src/kernels/dictionary.ts"
import { closeLog } from "../../../src/log/assemble-log.ts"
import { type SearchLog, unknownRank } from "../../../src/log/search-log.ts"

/** A search of a synthetic log. */
export interface Search {
  user: string
  query: string
  /** UTC seconds. */
  time: number
  topic?: string
}

/** The log of these searches, as if it was read from a file with one search per line and no clicks. */
export function makeLog(searches: readonly Search[]): SearchLog {
  const [users, queries] = [idsOf(searches.map(({ user }) => user)), idsOf(searches.map(({ query }) => query))]
  const topics = idsOf(searches.flatMap(({ topic }) => (topic === undefined ? [] : [topic])))
  const columns = {
    user: Int32Array.from(searches, ({ user }) => users.idOf(user)),
    query: Int32Array.from(searches, ({ query }) => queries.idOf(query)),
    time: Int32Array.from(searches, ({ time }) => time),
    rank: new Uint16Array(searches.length).fill(unknownRank),
    url: new Int32Array(searches.length).fill(-1),
    line: Uint32Array.from(searches.keys(), (line) => line + 1),
    category: Int32Array.from(searches, ({ topic }) => (topic === undefined ? -1 : topics.idOf(topic))),
  }
  return closeLog(columns, {
    unit: "user",
    users: users.texts,
    queries: queries.texts,
    urls: dictionaryOf([]),
    categories: topics.texts,
  })
}

function idsOf(values: readonly string[]) {
  const distinct = [...new Set(values)]
  const ids = new Map(distinct.map((value, id) => [value, id]))
  return { texts: dictionaryOf(distinct), idOf: (value: string) => ids.get(value) ?? -1 }
}
