import { insiderChance } from "../derangements.ts"
import { binomialTail } from "../statistics/binomial.ts"
import { clopperPearson } from "../statistics/clopper-pearson.ts"
import type { ReleasedStream } from "./released-stream.ts"

/** Units of which somebody was named, those right among them, and ordered pairs of them that share a cell. */
export interface Trials {
  named: number
  right: number
  pairs: number
}

/** How often an attacker was right, in units, and the lower bound of that. */
export interface Found {
  named: number
  share: number
  lower: number
}

/**
 * What an attacker named, in units: records in a row of one cell that show one name have one issuer. `cell` is by record.
 * Units whose issuer is not known do not count.
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
 * As many independent trials as say no more than these. Under the guarantee's assumption (docs/methods/swap.md) who issued the
 * units of a cell is, given all that was released, a uniform derangement of who is shown, independently for each cell, and
 * a name is right with chance p ≤ 1/k, exactly. Cells are independent; units of one cell are not. Two given names of a cell
 * are both right with chance p · insiderChance(k + 1) at most, so the variance of the number of right names is at most that
 * of independent ones times
 *
 * e = 1 + (k · insiderChance(k + 1) − 1)/(k − 1) · Σ m(m − 1) / Σ m, m the names in each cell,
 *
 * which is 1.14 for k = 10, and 3 for k = 2, where a cell is all right or all wrong. Taken are ⌊right/e⌋ of ⌈named/e⌉. As a
 * test of p ≤ 1/k that is exact where each cell has one name, and for k = 2. Otherwise the variance is bounded exactly and
 * the tail is not: test/kernels/judge-names.test.ts computes it, for one way of naming in all cells, and finds it below the
 * level: for every way up to k = 4, for every derangement up to 6, for a ring of names up to 50. As a bound of a share far
 * from 1/k it is approximate.
 */
function independent({ named, right, pairs }: Trials, k: number): { named: number; right: number } {
  if (k < 2 || pairs === 0) return { named, right }
  const spread = 1 + ((k * insiderChance(k + 1) - 1) / (k - 1)) * (pairs / named)
  return { named: Math.ceil(named / spread), right: Math.floor(right / spread) }
}

/** Whether so many right names are unlikely, below the level, where each is right with chance 1/k at most. */
export function isOver(trials: Trials, { k, level }: Level): boolean {
  const { named, right } = independent(trials, k)
  return binomialTail(right, named, { p: 1 / k }) < level
}

export function boundOf(trials: Trials, { k, level }: Level): Found {
  const { named, right } = independent(trials, k)
  const [lower] = clopperPearson(right, named, { confidence: 1 - level, side: "lower" })
  return { named: trials.named, share: trials.right / trials.named, lower }
}
