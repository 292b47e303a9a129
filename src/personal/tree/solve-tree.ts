import type { Kept } from "../exposure.ts"
import { type RiskLimit, riskOf } from "../risk.ts"
import type { SeedProfile } from "../seed-profile.ts"
import { combineAll, countCombinations } from "./combine-all.ts"
import { combinePriced } from "./combine-priced.ts"
import { type Combining, type Family, familyOf, wholesOf } from "./family.ts"
import { type Front, thinOut } from "./front.ts"
import { Labels } from "./labels.ts"

/** Maximum number of points of a front. Thinning out loses a little value. */
const mostPoints = 48
/** Relative slack of the budget: larger than the difference between sums in different orders. */
const rounding = 1e-11

/** Limit of the exact solution for a family of topics. */
export interface TreeOptions {
  /** A family with more combinations of its children is solved approximately. */
  combinations: number
}

export interface Solution {
  kept: Kept
  /** No rooted subtree within the limit is worth more than `kept` by more than this many bits. */
  slack: number
}

/**
 * The rooted subtree within one limit that is worth most, computed from the leaves up. Each node has a front of (risk,
 * value), combined from those of its children. Undefined if not even the root may be shown.
 */
export function solveTree(
  seed: SeedProfile,
  { model, delta }: RiskLimit,
  { combinations }: TreeOptions,
): Solution | undefined {
  const { size } = seed
  const kept: Kept = new Uint8Array(size)
  const wholes = wholesOf(seed, model)
  const budget = delta * model.total * (1 + rounding)
  const fronts: (Front | undefined)[] = new Array(size)
  const families: (Family | undefined)[] = new Array(size)
  const combining: Combining = {
    seed,
    model,
    wholes,
    fronts,
    budget,
    scratch: [new Labels(), new Labels(), new Labels()],
  }
  let slack = 0
  for (let node = size - 1; node >= 0; node--) {
    const isRelevant = node === 0 || wholes.risk[node] > model.seen[node]
    if (!isRelevant || wholes.least[node] > budget) continue
    if (wholes.risk[node] <= wholes.least[node]) {
      fronts[node] = { risk: [wholes.risk[node]], value: [wholes.value[node]] }
      continue
    }
    const family = familyOf(node, combining)
    families[node] = family
    if (countCombinations(family, combining) <= combinations) fronts[node] = combineAll(family, combining)
    else {
      const { front, slack: lost } = combinePriced(family, combining)
      fronts[node] = front
      slack += lost
    }
    slack += thinFront(fronts, node)
  }
  const front = fronts[0]
  if (front === undefined) return undefined
  // Sums in another order may differ in the last digits. The sum that counts is `riskOf`, which a verifier computes
  // too.
  for (let point = front.risk.length - 1; point >= 0; point--) {
    keep(0, point)
    const missed = front.value[front.value.length - 1] - front.value[point]
    if (riskOf(seed, model, kept) <= delta) return { kept, slack: slack + missed }
  }
  return undefined

  /** Marks the subtree that a point of a node's front represents. */
  function keep(node: number, point: number): void {
    const picks = fronts[node]?.picks?.[point]
    kept.fill(1, node, seed.end[node])
    if (picks === undefined) return
    for (const child of families[node]?.barred ?? []) kept.fill(0, child, seed.end[child])
    families[node]?.children.forEach((child, i) => {
      kept.fill(0, child, seed.end[child])
      if (picks[i] >= 0) keep(child, picks[i])
    })
  }
}

function thinFront(fronts: (Front | undefined)[], node: number): number {
  const front = fronts[node]
  if (front?.picks === undefined) return 0
  const { risk, value, picks } = front
  const { stay, width } = thinOut(value, value.length, mostPoints)
  if (width > 0)
    fronts[node] = {
      risk: stay.map((i) => risk[i]),
      value: stay.map((i) => value[i]),
      picks: stay.map((i) => picks[i]),
    }
  return width
}
