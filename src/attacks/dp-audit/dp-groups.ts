import { dictionaryOf } from "../../kernels/dictionary.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import { closeLog } from "../../log/assemble-log.ts"
import { type SearchLog, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../log/search-log.ts"
import { keysOf, type Scenario } from "./dp-scenarios.ts"

/** How the keys of a scenario become searches of one table. */
export interface Frame {
  table: "queries" | "clicks" | "transitions"
  /** Users of each query that must be released so that the keys can be shown at all. */
  support: number
  /** After a longer pause than this, in seconds, the next search is no transition. */
  gap: number
}

/** One search: a query, a url if there is a click, and the seconds since the search before. */
type Step = readonly [query: number, url: number, wait: number]

/** The texts of a frame, and the searches that produce a key. */
interface Encoding {
  queries: number
  urls: number
  /** Number of queries that need supporting users. */
  supported: number
  steps(key: number): Step[]
  /** The key of a table row, from its texts. */
  keyOf(first: number, second: number): number
}

/**
 * For queries, keys are queries. For clicks, keys are urls of one query. For transitions, keys are pairs of a small set
 * of queries, so that few queries need supporting users. Two pairs are never so close in time that they make a third.
 */
function encode({ table, gap }: Frame, keys: number): Encoding {
  if (table === "queries")
    return { queries: keys, urls: 0, supported: 0, steps: (key) => [[key, -1, 1]], keyOf: (first) => first }
  if (table === "clicks")
    return { queries: 1, urls: keys, supported: 1, steps: (key) => [[0, key, 1]], keyOf: (_, second) => second }
  const texts = Math.ceil(Math.sqrt(keys)) + 1 // texts · (texts − 1) ordered pairs of different texts
  const pairOf = (key: number): [number, number] => {
    const first = Math.floor(key / (texts - 1))
    const place = key % (texts - 1)
    return [first, place < first ? place : place + 1]
  }
  return {
    queries: texts,
    urls: 0,
    supported: texts,
    steps: (key) => {
      const [first, second] = pairOf(key)
      return [
        [first, -1, gap + 1],
        [second, -1, Math.min(1, gap)],
      ]
    },
    keyOf: (first, second) => first * (texts - 1) + (second < first ? second : second - 1),
  }
}

/** A synthetic log of these groups, with the tested user or without. */
export function composeGroups(
  scenario: Scenario,
  frame: Frame,
  { groups, withUser }: { groups: number; withUser: boolean },
): SearchLog {
  const members = withUser ? scenario.users : scenario.users.slice(0, -1)
  const keys = keysOf(scenario)
  const { queries, urls, supported, steps } = encode(frame, groups * keys)
  const grouped = groups * members.reduce((sum, searches) => sum + searches.length, 0) * steps(0).length
  const rows = grouped + supported * frame.support
  const columns = {
    user: sharedInt32(rows),
    query: sharedInt32(rows),
    time: sharedInt32(rows),
    rank: sharedUint16(rows),
    url: sharedInt32(rows),
    line: sharedUint32(rows),
  }
  let [row, user, time] = [0, 0, 0]
  const search = ([query, url, wait]: Step) => {
    time += wait
    columns.user[row] = user
    columns.query[row] = query
    columns.time[row] = time
    columns.rank[row] = url < 0 ? unknownRank : 1
    columns.url[row] = url
    columns.line[row] = ++row
  }
  const nextUser = () => {
    user++
    time = 0
  }
  for (let group = 0; group < groups; group++) {
    for (const searches of members) {
      for (const key of searches) for (const step of steps(group * keys + key)) search(step)
      nextUser()
    }
  }
  for (let query = 0; query < supported; query++) {
    for (let i = 0; i < frame.support; i++) {
      search([query, -1, 1])
      nextUser()
    }
  }
  const names = (count: number) => dictionaryOf(Array.from({ length: count }, (_, i) => `${i}`))
  return closeLog(columns, { unit: "user", users: names(user), queries: names(queries), urls: names(urls) })
}

/** The score of each group, read from the table that a mechanism released. */
export function scoreGroups(
  scenario: Scenario,
  frame: Frame,
  options: { groups: number; table: ColumnTable },
): Float64Array {
  const { groups, table } = options
  const keys = keysOf(scenario)
  const { keyOf } = encode(frame, groups * keys)
  const counts = readCounts(table, keyOf)
  return Float64Array.from({ length: groups }, (_, group) =>
    scenario.score(Array.from({ length: keys }, (_, key) => counts.get(group * keys + key))),
  )
}

function readCounts({ rows, columns }: ColumnTable, keyOf: Encoding["keyOf"]): Map<number, number> {
  const counts = new Map<number, number>()
  const texts = columns.flatMap((column) => ("ids" in column ? [column] : []))
  const values = columns.flatMap((column) => ("values" in column ? [column.values] : []))
  for (let row = 0; row < rows; row++) {
    const [first, second = -1] = texts.map(({ texts, ids }) => Number(texts.text(ids[row])))
    counts.set(keyOf(first, second), values[0][row])
  }
  return counts
}
