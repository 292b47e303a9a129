import type { SearchLog } from "../../log/search-log.ts"
import type { History } from "../../methods/counts/histories.ts"
import { isTransition, type TransitionRule } from "../../methods/counts/transition-rule.ts"

/** What a release counts: queries, a query with a clicked url, or a query with the next query. */
const keyTables = ["queries", "clicks", "transitions"] as const
export type KeyTable = (typeof keyTables)[number]

export const isKeyTable = (name: string): name is KeyTable => keyTables.some((table) => table === name)

/** The number of a key made of two ids of the log: a query and 0, a query and a url, or two queries. */
export const keyName = (first: number, second: number) => first * 2 ** 26 + second
export const firstOf = (key: number) => Math.floor(key / 2 ** 26)
export const secondOf = (key: number) => key % 2 ** 26

/** The keys of one person in order of first appearance, each with its number of occurrences. */
export type PersonKeys = Map<number, number>

export interface KeyChoice {
  table: KeyTable
  /** Which next searches are transitions. */
  rule: TransitionRule
  /** Only this many first searches, clicks or steps to a next search count, as in the paper. */
  firstOnly?: number | undefined
}

/** The keys of one person in a table. */
export function keysOfPerson(
  log: SearchLog,
  { events, size }: History,
  { table, rule, firstOnly = Number.POSITIVE_INFINITY }: KeyChoice,
): PersonKeys {
  const keys: PersonKeys = new Map()
  let added = 0
  const add = (first: number, second: number) => {
    if (table === "clicks" && added++ >= firstOnly) return
    const key = keyName(first, second)
    keys.set(key, (keys.get(key) ?? 0) + 1)
  }
  const searches = table === "clicks" ? size : Math.min(size, table === "queries" ? firstOnly : firstOnly + 1)
  for (let i = 0; i < searches; i++) {
    const row = events[i]
    if (table === "queries") add(log.query[row], 0)
    else if (table === "clicks") {
      for (let click = row; click < log.rows && log.event[click] === log.event[row]; click++) {
        if (log.url[click] >= 0) add(log.query[click], log.url[click])
      }
    } else if (i > 0) {
      const last = events[i - 1]
      if (isTransition(log, { last, next: row }, rule)) add(log.query[last], log.query[row])
    }
  }
  return keys
}
