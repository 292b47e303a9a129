import { type RandomSource, shuffle } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Reading } from "./judge-guess.ts"

/** Some users who are left out of a log, and as many who stay in, in random order. */
export interface Targets {
  /** For each user, 1 if they are left out. */
  isOut: Uint8Array
  /**
   * For each user, their number among the targets, or -1. Those who stay in come first, then those who are left out.
   */
  targetOf: Int32Array
  count: number
}

/**
 * Leaves out each user independently, with the same probability: ½, or less so that about `members` are left out. One
 * user's membership therefore says nothing about the others, and a bound for one user applies to the whole game.
 */
export function drawTargets(log: SearchLog, members: number, random: RandomSource): Targets {
  const isOut = new Uint8Array(log.users.size)
  const present = findPresent(log)
  for (const user of present) {
    if (random.below(2 * Math.max(present.length, 2 * members)) < 2 * members) isOut[user] = 1
  }
  shuffle(present, random)
  const inside = present.filter((user) => isOut[user] === 0)
  const outside = present.filter((user) => isOut[user] === 1)
  const each = Math.min(inside.length, outside.length, members)
  const targetOf = new Int32Array(log.users.size).fill(-1)
  inside.subarray(0, each).forEach((user, i) => {
    targetOf[user] = i
  })
  outside.subarray(0, each).forEach((user, i) => {
    targetOf[user] = each + i
  })
  return { isOut, targetOf, count: 2 * each }
}

/** The users who have a row, ascending. In a filtered log some have none. */
function findPresent(log: SearchLog): Uint32Array {
  const has = new Uint8Array(log.users.size)
  for (const user of log.user) if (user >= 0) has[user] = 1
  return Uint32Array.from(has.keys()).filter((user) => has[user] === 1)
}

/** Splits the readings of all targets into members and non-members. */
export function splitTargets({ count }: Targets, scores: Float64Array): Reading {
  return { inside: scores.subarray(0, count / 2), outside: scores.subarray(count / 2) }
}
