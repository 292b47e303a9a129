import { type Combining, type Family, pointsOf } from "./family.ts"
import { type Front, frontOf, thinOut } from "./front.ts"
import { Trail } from "./labels.ts"

/** Maximum number of labels carried from child to child, and the widest step between prices, in logarithms. */
const mostLabels = 48
const widestStep = 0.8
const mostPrices = 12
const nothing: Front = { risk: [], value: [] }

/**
 * The approximate front of a family with many children. It misses at most `slack` bits.
 *
 * Only the shadow couples the children. Its part in PG is P·log2(P/Q), where P and Q are the preference and the public
 * probability of all that is pruned. This function is convex and homogeneous of degree one, so it is the maximum of its
 * tangents: P·log2(P/Q) = max over λ > 0 of P·log2(e·λ) − λ·Q·log2(e), at λ = P/Q. At a price λ each pruned child has a
 * value of its own, and a knapsack remains. The best over all λ is the overall best. Prices are at equal ratios. Where
 * the nearest price is off by a factor e^s, the loss is P·(e^s − 1 − s)·log2(e).
 */
export function combinePriced(family: Family, combining: Combining): { front: Required<Front>; slack: number } {
  const { seed } = combining
  const universe = seed.publicSupport[0]
  // P/Q of any choice is between the lowest and the highest of these. A part of Q belongs to no child.
  const rest = Math.max(0, family.support) / universe
  let lowest = family.preference > 0 ? family.preference / rest : Number.POSITIVE_INFINITY
  let highest = family.preference > 0 ? lowest : 0
  let preference = family.preference
  for (const child of family.children) {
    const [p, q] = [seed.preference[child], seed.publicSupport[child] / universe]
    lowest = Math.min(lowest, family.preference > 0 ? p / q : p / (q + rest))
    highest = Math.max(highest, p / q)
    preference += p
  }
  const range = Math.log(highest / lowest)
  const prices = Math.max(1, Math.min(mostPrices, Math.ceil(range / widestStep)))
  const off = range / prices / 2
  const risk: number[] = []
  const value: number[] = []
  const picks: Int32Array[] = []
  const trail = new Trail(family.children.length, mostLabels)
  let thinned = 0
  for (let i = 0; i <= prices; i++) {
    // The last round prunes nothing: no price is low enough for that.
    const price = i === prices ? 0 : lowest * Math.exp((2 * i + 1) * off)
    const { front, width } = combineAtPrice(family, combining, { price, trail })
    risk.push(...front.risk)
    value.push(...front.value)
    picks.push(...front.picks)
    thinned = Math.max(thinned, width)
  }
  return {
    front: frontOf({ risk, value, picksOf: (point) => picks[point] }),
    slack: thinned + preference * (Math.exp(off) - 1 - off) * Math.LOG2E,
  }
}

/** The knapsack at one price. At price 0 nothing may be pruned. `width`: bits lost by thinning out. */
function combineAtPrice(
  family: Family,
  combining: Combining,
  { price, trail }: { price: number; trail: Trail },
): { front: Required<Front>; width: number } {
  const { seed, model, fronts, budget, scratch } = combining
  const { children } = family
  const perPreference = Math.log2(Math.E * price)
  const perSupport = (price * Math.LOG2E) / seed.publicSupport[0]
  let [labels, next, spare] = scratch
  labels.begin(family)
  let lost = 0
  children.forEach((child, stage) => {
    const [preference, support] = [seed.preference[child], seed.publicSupport[child]]
    next.size = 0
    const pruned = price === 0 ? Number.NEGATIVE_INFINITY : preference * perPreference - support * perSupport
    if (price > 0) next.extend(labels, { pick: -1, risk: 0, priced: pruned, budget })
    const { risk: risks, value: values } = fronts[child] ?? nothing
    for (let pick = 0; pick < values.length; pick++) {
      if (values[pick] <= pruned) continue // at this price, pruning it is better
      const addition = { pick, risk: risks[pick] - model.seen[child], priced: values[pick], budget }
      if (next.size === 0) next.extend(labels, addition)
      else {
        spare.merge(next, labels, addition)
        ;[next, spare] = [spare, next]
      }
    }
    if (next.size > mostLabels) {
      const { stay, width } = thinOut(next.priced, next.size, mostLabels)
      next.select(stay)
      lost += width
    }
    next.complete(labels, { preference, support, values })
    trail.note(stage, next)
    ;[labels, next] = [next, labels]
  })
  return { front: frontOf(pointsOf(family, combining, { labels, trail })), width: lost }
}
