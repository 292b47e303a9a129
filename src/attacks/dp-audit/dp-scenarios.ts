import type { DpMechanism } from "../../methods/dp-guarantee.ts"

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
    excess({ l0, perKey, others, threshold }),
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

/** A user who has three times as many keys as count, each three times as often; others have them within their bounds. */
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

/** How many keys a group has. */
export const keysOf = ({ users }: Scenario) => Math.max(...users.map((keys) => Math.max(...keys))) + 1

/** Rows of one group. */
export const rowsOfGroup = ({ users }: Scenario) => users.reduce((sum, searches) => sum + searches.length, 0)
