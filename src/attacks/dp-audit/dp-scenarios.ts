import type { DpMechanism } from "../../methods/dp-guarantee.ts"

/** The numbers of the attacked mechanism that scenarios are built from. */
export type AuditedMechanism = Pick<DpMechanism, "l0" | "perKey" | "minUsers"> & { threshold: number }

/**
 * Two logs that differ by one user, repeated many times. Each group has its own keys and users, so one run of the
 * mechanism gives as many trials as there are groups. `score` reads one group of a release: a higher score suggests
 * that the user is present.
 */
export interface Scenario {
  name: string
  /** Searches of each user of a group, as keys of the group. The last user is the tested one. */
  users: readonly (readonly number[])[]
  /** Scores a group by the noisy count of each of its keys; a count is undefined if the key is not shown. */
  score(shown: readonly (number | undefined)[]): number
}

/** `count` copies of an item. */
const copies = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** Neighbouring logs on which such a mechanism is weakest, or which reveal a common mistake. */
export function scenariosFor({ l0, perKey, minUsers, threshold }: AuditedMechanism): Scenario[] {
  const keys = Array.from({ length: l0 }, (_, key) => key)
  const often = keys.flatMap((key) => copies(perKey, key))
  const others = Math.max(1, minUsers, Math.ceil(threshold / perKey))
  const base = others * perKey
  // The tested user adds perKey to each count. This is the likelihood ratio of discrete Laplace noise, up to a factor.
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
    excess({ l0, perKey, others, threshold }),
  ]
  if (minUsers < 2) return scenarios
  // Users whose first keys are rare. If rare keys were removed before users are bounded, their next keys would count
  // instead.
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

/**
 * A user with three times as many keys as the bound allows, each three times as often. The other users stay within
 * their bounds.
 */
function excess(options: { l0: number; perKey: number; others: number; threshold: number }): Scenario {
  const { l0, perKey, others, threshold } = options
  const blocks = [0, 1, 2].map((block) => Array.from({ length: l0 }, (_, key) => block * l0 + key))
  const often = (keys: number[], times: number) => keys.flatMap((key) => copies(times, key))
  const far = 3 * perKey
  return {
    name: "excess",
    users: [...blocks.flatMap((keys) => copies(others, often(keys, perKey))), often(blocks.flat(), far)],
    score: (shown) =>
      shown.reduce<number>((sum, count) => {
        const x = (count ?? threshold - 1) - others * perKey
        return sum + Math.min(far, Math.max(-far, x))
      }, 0),
  }
}

/** The number of keys in a group. */
export const keysOf = ({ users }: Scenario) => Math.max(...users.map((keys) => Math.max(...keys))) + 1

/** The number of rows in a group. */
export const rowsOfGroup = ({ users }: Scenario) => users.reduce((sum, searches) => sum + searches.length, 0)
