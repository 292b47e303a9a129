import { insiderChance } from "../derangements.ts"
import { binomialTail } from "../statistics/binomial.ts"
import { clopperPearson } from "../statistics/clopper-pearson.ts"
import type { ReleasedStream } from "./released-stream.ts"

/**
 * The number of units for which somebody was named, of right ones among them, and of ordered pairs of them in one cell.
 */
export interface Trials {
  named: number
  right: number
  pairs: number
}

/** How often an attacker was right, in units, and the lower bound of that share. */
export interface LinkageShare {
  named: number
  share: number
  lower: number
}

/**
 * Counts what an attacker named, in units. Records in a row of one cell that show one name are a unit and have one
 * issuer. `cell` is by record. Units whose issuer is unknown do not count.
 */
export function countTrials(choice: Int32Array, { user, truth }: ReleasedStream, cell: Int32Array): Trials {
  const trials = { named: 0, right: 0, pairs: 0 }
  for (let start = 0; start < choice.length; ) {
    let names = 0
    let end = start
    for (; end < choice.length && cell[end] === cell[start]; end++) {
      const goesOn = end > start && user[end] === user[end - 1]
      if (goesOn || choice[end] < 0 || truth[end] < 0) continue
      names++
      if (choice[end] === truth[end]) trials.right++
    }
    trials.named += names
    trials.pairs += names * (names - 1)
    start = end
  }
  return trials
}

interface Level {
  k: number
  level: number
}

/**
 * Reduces trials to a number of independent trials that carry no more evidence.
 *
 * Under the guarantee's assumption (docs/methods/swap.md), given everything that was released, the issuers of a cell's
 * units are a uniform derangement of the names shown, independently for each cell. A name is right with chance p ≤ 1/k,
 * exactly. Cells are independent; units of one cell are not. Two given names of a cell are both right with chance at
 * most p · insiderChance(k + 1). So the variance of the number of right names is at most that of independent ones times
 *
 * e = 1 + (k · insiderChance(k + 1) − 1)/(k − 1) · Σ m(m − 1) / Σ m, m the names in each cell,
 *
 * which is 1.14 for k = 10. It is 3 for k = 2, where a cell is all right or all wrong. The result is ⌊right/e⌋ of
 * ⌈named/e⌉.
 *
 * As a test of p ≤ 1/k this is exact if each cell has one name, and for k = 2. Otherwise the variance is bounded
 * exactly and the tail is not. test/kernels/judge-names.test.ts computes the tail for one way of naming in all cells,
 * and finds it below the level: for every way up to k = 4, for every derangement up to 6, and for a ring of names up to
 * 50. As a bound of a share far from 1/k it is approximate.
 */
function independent({ named, right, pairs }: Trials, k: number): { named: number; right: number } {
  if (k < 2 || pairs === 0) return { named, right }
  const spread = 1 + ((k * insiderChance(k + 1) - 1) / (k - 1)) * (pairs / named)
  return { named: Math.ceil(named / spread), right: Math.floor(right / spread) }
}

/** True if this many right names or more have a chance below the level when each is right with chance at most 1/k. */
export function isOver(trials: Trials, { k, level }: Level): boolean {
  const { named, right } = independent(trials, k)
  return binomialTail(right, named, { p: 1 / k }) < level
}

export function boundOf(trials: Trials, { k, level }: Level): LinkageShare {
  const { named, right } = independent(trials, k)
  const [lower] = clopperPearson(right, named, { confidence: 1 - level, side: "lower" })
  return { named: trials.named, share: trials.right / trials.named, lower }
}
