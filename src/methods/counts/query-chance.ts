import type { CountedQuery } from "./count-query.ts"
import { chanceOf } from "./expect-shown.ts"
import type { PublicLists } from "./open-mode.ts"
import type { Mechanism } from "./plan-mechanisms.ts"

/** A query with everything that decides whether it is shown. */
export interface CountsSubject {
  lists: PublicLists
  counted: CountedQuery
  /** True if the pool has the query; `frequency` is what the pool adds to its count. */
  isPublic: boolean
  frequency: number
}

/** Bounds of the chance that a query is shown. They are equal if the chance was computed. */
export interface QueryChance {
  low: number
  high: number
}

/** Most steps of the sum over draws of users. If there are more, the chance is only bounded. */
const mostSteps = 2e8

/** The largest double below 1, and the smallest above 0. What noise decides is neither certain nor impossible. */
const [nearlyOne, nearlyZero] = [1 - 2 ** -53, Number.MIN_VALUE]

/** The chance that the table of queries shows a query, over the noise and over the random choice of users' queries. */
export function chanceOfQuery(mechanism: Mechanism, subject: Omit<CountsSubject, "lists">): QueryChance {
  const { counted, isPublic, frequency } = subject
  if (mechanism.keys === "public" && !isPublic) return { low: 0, high: 0 }
  const at = (users: number, total: number) => {
    const chance = chanceOf(mechanism, { users, total: total + frequency, isPublic })
    const isRuled = (!isPublic && users < Math.max(1, mechanism.minUsers)) || mechanism.truncation !== undefined
    return isRuled ? chance : Math.min(nearlyOne, Math.max(nearlyZero, chance))
  }
  const { least, most, drawn } = counted
  const low = at(least.users, least.total)
  if (drawn.length === 0) return { low, high: low }
  const cap = isPublic ? 0 : Math.max(1, mechanism.minUsers)
  const levels = Math.max(0, cap - least.users) + 1 // additional users, up to where more make no difference
  const width = most.total - least.total + 1
  if (drawn.length * width * levels > mostSteps) return { low, high: at(most.users, most.total) }
  const weights = spread(drawn, { levels, width })
  let chance = 0
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue
    const level = Math.floor(i / width)
    chance += weights[i] * at(least.users + level, least.total + (i % width))
  }
  const kept = Math.min(nearlyOne, chance)
  return { low: kept, high: kept }
}

/** The distribution of additional users (the last level includes all larger numbers) and of what they add. */
function spread(
  drawn: CountsSubject["counted"]["drawn"],
  { levels, width }: { levels: number; width: number },
): Float64Array {
  let weights = new Float64Array(levels * width)
  weights[0] = 1
  for (const { adds, chance } of drawn) {
    const next = weights.map((weight) => weight * (1 - chance))
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] === 0) continue
      const level = Math.min(levels - 1, Math.floor(i / width) + 1)
      next[level * width + (i % width) + adds] += weights[i] * chance
    }
    weights = next
  }
  return weights
}

/** Formats a chance for people. */
export function formatChance(chance: number): string {
  if (chance > 0 && chance < 1e-12) return "less than 1e-12"
  if (chance > 1 - 1e-6 && chance < 1) return "more than 0.999999"
  return chance > 0.9999 ? chance.toFixed(6) : String(Number(chance.toPrecision(4)))
}
