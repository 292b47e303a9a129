import { type Combining, type Family, shadowValue } from "./family.ts"
import { type Front, frontOf, type Points, thinOut } from "./front.ts"
import { Labels, Trail } from "./labels.ts"

/** Labels that are carried from child to child, and the widest step between prices, in logarithms. */
const mostLabels = 64
const widestStep = 0.5
const mostPrices = 24

/**
 * The front of a family with many children, nearly: what it misses is at most `slack` bits.
 *
 * The children are tied together by their shadow only, whose part in PG is P·log2(P/Q), where P and Q are preference and
 * public probability of all that is pruned. That is convex and of degree one, so it is the highest of its tangents:
 * P·log2(P/Q) = max over λ > 0 of P·log2(e·λ) − λ·Q·log2(e), at λ = P/Q. With a price λ each pruned child has a value of its
 * own, and what is left is a knapsack; the best over all λ is the best of all. Prices stand at equal ratios: where the
 * nearest is off by a factor e^s, the loss is P·(e^s − 1 − s)·log2(e).
 */
export function combinePriced(family: Family, combining: Combining): { front: Required<Front>; slack: number } {
  const { seed } = combining
  const universe = seed.publicSupport[0]
  let lowest = Number.POSITIVE_INFINITY
  let highest = 0
  let preference = 0
  for (const child of family.children) {
    const [p, q] = [seed.preference[child], seed.publicSupport[child] / universe]
    lowest = Math.min(lowest, p / (q + Math.max(0, family.support) / universe))
    highest = Math.max(highest, p / q)
    preference += p
  }
  const range = Math.log(highest / lowest)
  const prices = Math.max(1, Math.min(mostPrices, Math.ceil(range / widestStep)))
  const off = range / prices / 2
  const points: Points = { risk: [], value: [], picksOf: (point) => picks[point] }
  const picks: Int32Array[] = []
  const trail = new Trail(family.children.length, mostLabels)
  let thinned = 0
  for (let i = 0; i <= prices; i++) {
    // The last one prunes nothing: no price is low enough for that.
    const price = i === prices ? 0 : lowest * Math.exp((2 * i + 1) * off)
    const { front, width } = combineAtPrice(family, combining, { price, trail })
    points.risk.push(...front.risk)
    points.value.push(...front.value)
    picks.push(...front.picks)
    thinned = Math.max(thinned, width)
  }
  return { front: frontOf(points), slack: thinned + preference * (Math.exp(off) - 1 - off) * Math.LOG2E }
}

/** The knapsack at one price; at price 0 nothing may be pruned. `width`: bits that were lost by thinning out. */
function combineAtPrice(
  family: Family,
  { seed, model, fronts, budget }: Combining,
  { price, trail }: { price: number; trail: Trail },
): { front: Required<Front>; width: number } {
  const { children } = family
  const perPreference = Math.log2(Math.E * price)
  const perSupport = (price * Math.LOG2E) / seed.publicSupport[0]
  let labels = new Labels()
  let next = new Labels()
  let spare = new Labels()
  labels.add({ risk: family.risk, value: family.value, preference: 0, support: family.support, priced: 0 })
  let lost = 0
  children.forEach((child, stage) => {
    const p = seed.preference[child]
    const s = seed.publicSupport[child]
    next.size = 0
    if (price > 0) {
      const priced = p * perPreference - s * perSupport
      next.extend(labels, { pick: -1, risk: 0, value: 0, preference: p, support: s, priced }, budget)
    }
    const front = fronts[child]
    for (let point = 0; point < (front?.risk.length ?? 0) && front !== undefined; point++) {
      const risk = front.risk[point] - model.seen[child]
      const value = front.value[point]
      const addition = { pick: point, risk, value, preference: 0, support: 0, priced: value }
      if (next.size === 0) next.extend(labels, addition, budget)
      else {
        spare.merge(next, labels, addition, budget)
        ;[next, spare] = [spare, next]
      }
    }
    if (next.size > mostLabels) {
      const { stay, width } = thinOut(next.priced, next.size, mostLabels)
      next.select(stay)
      lost += width
    }
    trail.note(stage, next)
    ;[labels, next] = [next, labels]
  })
  const end = labels
  const front = frontOf({
    risk: Array.from(end.risk.subarray(0, end.size), (risk) => Math.max(family.cost, risk)),
    value: Array.from({ length: end.size }, (_, i) => {
      return end.value[i] + shadowValue(family, seed, { preference: end.preference[i], support: end.support[i] })
    }),
    picksOf: (label) => trail.picksOf(label),
  })
  return { front, width: lost }
}
