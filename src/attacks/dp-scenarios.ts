import { dictionaryOf } from "../kernels/dictionary.ts"
import {
  numberEvents,
  type SearchLog,
  sharedInt32,
  sharedUint16,
  sharedUint32,
  unknownRank,
} from "../log/search-log.ts"
import type { DpMechanism } from "../methods/dp-guarantee.ts"

/** What the audit may set up: the numbers of the mechanism that it attacks. */
export type AuditedMechanism = Pick<DpMechanism, "l0" | "perKey" | "minUsers"> & { threshold: number }

/**
 * Two logs that differ by one user, many times over: each group has keys and users of its own, so that one run of the
 * mechanism is as many trials as there are groups. `score` reads one group of a release: higher speaks for the user.
 */
export interface Scenario {
  name: string
  /** Searches of each user of a group, by key of the group; the last user is the one in question. */
  users: readonly (readonly number[])[]
  /** The noisy count of each key of a group, undefined where it is not shown. */
  score(shown: readonly (number | undefined)[]): number
}

/** So many copies of a list. */
const copies = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** Neighbouring logs at which a mechanism of this kind is weakest, or at which a mistake that is easily made shows. */
export function scenariosFor({ l0, perKey, minUsers, threshold }: AuditedMechanism): Scenario[] {
  const keys = Array.from({ length: l0 }, (_, key) => key)
  const often = keys.flatMap((key) => copies(perKey, key))
  const others = Math.max(1, minUsers, Math.ceil(threshold / perKey))
  const base = others * perKey
  // With the user each count has perKey more. The likelihood ratio of discrete Laplace noise, up to a factor.
  const ratio = (count: number | undefined) => {
    const x = (count ?? threshold - 1) - base
    return Math.min(perKey, Math.max(-perKey, 2 * x - perKey))
  }
  const scenarios: Scenario[] = [
    {
      name: "rare",
      users: [...copies(Math.max(0, minUsers - 1), often), often],
      score: (shown) => shown.filter((count) => count !== undefined).length,
    },
    {
      name: "shift",
      users: [...copies(others, often), often],
      score: (shown) => shown.reduce<number>((sum, count) => sum + ratio(count), 0),
    },
  ]
  if (minUsers < 2) return scenarios
  // Users whose first keys are rare: were these left out before users are bounded, their next keys would count instead.
  const next = often.map((key) => l0 + key)
  return [
    ...scenarios,
    {
      name: "filter",
      users: [...copies(others, next), ...copies(minUsers - 1, [...often, ...next]), often],
      score: (shown) => -shown.slice(l0).reduce<number>((sum, count) => sum + (count ?? threshold - 1), 0),
    },
  ]
}

/** How many keys a group has. */
const keysOf = ({ users }: Scenario) => Math.max(...users.map((keys) => Math.max(...keys))) + 1

/** The log of so many groups, with the user in question or without. Nothing in it is anyone's. */
export function composeGroups(scenario: Scenario, options: { groups: number; withUser: boolean }): SearchLog {
  const { groups, withUser } = options
  const users = withUser ? scenario.users : scenario.users.slice(0, -1)
  const keys = keysOf(scenario)
  const rows = groups * users.reduce((sum, searches) => sum + searches.length, 0)
  const columns = {
    user: sharedInt32(rows),
    query: sharedInt32(rows),
    time: sharedInt32(rows),
    rank: sharedUint16(rows).fill(unknownRank),
    url: sharedInt32(rows).fill(-1),
    line: sharedUint32(rows),
  }
  let row = 0
  for (let group = 0; group < groups; group++) {
    for (const [place, searches] of users.entries()) {
      for (const [i, key] of searches.entries()) {
        columns.user[row] = group * users.length + place
        columns.query[row] = group * keys + key
        columns.time[row] = i
        columns.line[row] = row + 1
        row++
      }
    }
  }
  const event = numberEvents(columns)
  const names = (count: number) => dictionaryOf(Array.from({ length: count }, (_, i) => `${i}`))
  return {
    unit: "user",
    rows,
    events: rows === 0 ? 0 : event[rows - 1] + 1,
    users: names(groups * users.length),
    queries: names(groups * keys),
    urls: dictionaryOf([]),
    ...columns,
    event,
  }
}

/** The score of each group of a release; `counts` gives the noisy count of a query, undefined where it is not shown. */
export function scoreGroups(
  scenario: Scenario,
  groups: number,
  counts: (query: string) => number | undefined,
): Float64Array {
  const keys = keysOf(scenario)
  return Float64Array.from({ length: groups }, (_, group) =>
    scenario.score(Array.from({ length: keys }, (_, key) => counts(`${group * keys + key}`))),
  )
}

/** Rows of one group. */
export const rowsOfGroup = ({ users }: Scenario) => users.reduce((sum, searches) => sum + searches.length, 0)
