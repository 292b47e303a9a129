import { granularityOf } from "../metrics.ts"
import type { RiskModel } from "../risk.ts"
import type { SeedProfile } from "../seed-profile.ts"
import type { Front, Points } from "./front.ts"
import type { Labels, Trail } from "./labels.ts"

/** A node that is kept and whose relevant children are yet to be chosen. */
export interface Family {
  /** Children whose keeping adds risk; of the others, those that add none are kept whole. */
  readonly children: readonly number[]
  /** Children that cannot be kept within the budget. */
  readonly barred: readonly number[]
  /** Risk(node) is at least this. */
  readonly cost: number
  /** Sum of the risks below it if all the relevant children are pruned. */
  readonly risk: number
  /** Value of what is kept in any case. */
  readonly value: number
  /** Preference and public support of the shadow if no relevant child is pruned but the barred. */
  readonly preference: number
  readonly support: number
  /** TS that is gained if the child is pruned; above the least common ancestor of the seed only. */
  readonly endBonus: number
}

/** What holds of each node's whole subtree in the seed. */
export interface Wholes {
  /** Risk(t) if the whole subtree is kept. */
  readonly risk: Float64Array
  /** Risk(t) if it alone is kept. */
  readonly least: Float64Array
  /** PG of the whole subtree and, at the least common ancestor and above, TS. */
  readonly value: Float64Array
}

export function wholesOf(seed: SeedProfile, { cost, seen, beside }: RiskModel): Wholes {
  const { size, parent, end, preference, publicSupport, content, lca } = seed
  const risk = beside.slice()
  const least = beside.slice()
  const value = new Float64Array(size)
  for (let node = size - 1; node >= 0; node--) {
    risk[node] = Math.max(cost[node], risk[node])
    least[node] = Math.max(cost[node], least[node])
    if (end[node] === node + 1) value[node] = granularityOf(preference[node], publicSupport[node] / publicSupport[0])
    if (node === lca) value[node] += content[lca]
    if (node === 0) break
    risk[parent[node]] += risk[node]
    least[parent[node]] += seen[node]
    value[parent[node]] += value[node]
  }
  return { risk, least, value }
}

export function familyOf(node: number, { seed, model, wholes, fronts }: Combining): Family {
  const { end, publicSupport, content, lca } = seed
  const { cost, seen, beside } = model
  const children: number[] = []
  const barred: number[] = []
  let preference = 0
  let risk = beside[node]
  let value = node === lca ? content[lca] : 0
  let support = publicSupport[node]
  for (let child = node + 1; child < end[node]; child = end[child]) {
    support -= publicSupport[child]
    if (wholes.risk[child] > seen[child]) {
      risk += seen[child]
      if (fronts[child] !== undefined) children.push(child)
      else {
        barred.push(child)
        preference += seed.preference[child]
        support += publicSupport[child]
      }
    } else {
      risk += wholes.risk[child]
      value += wholes.value[child]
    }
  }
  const endBonus = node < lca ? content[node] : 0
  return { children, barred, cost: cost[node], risk, value, preference, support, endBonus }
}

/** What a family is put together from. */
export interface Combining {
  readonly seed: SeedProfile
  readonly model: RiskModel
  readonly wholes: Wholes
  /** Of each node that has one; none: it cannot be kept. */
  readonly fronts: readonly (Front | undefined)[]
  /** No sum of risks may be more. */
  readonly budget: number
  readonly scratch: readonly [Labels, Labels, Labels]
}

/**
 * What choices for all children come to: with the cost of the node itself, and with the part that the pruned have in PG as
 * its shadow, or as the node itself where all are pruned; above the least common ancestor that ends the profile, and is TS.
 */
export function pointsOf(
  family: Family,
  { seed }: Combining,
  { labels, trail }: { labels: Labels; trail: Trail },
): Points {
  const { size } = labels
  const risk = new Float64Array(size)
  const value = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    risk[i] = Math.max(family.cost, labels.risk[i])
    value[i] = labels.value[i]
    if (labels.preference[i] === 0) continue
    value[i] += granularityOf(labels.preference[i], labels.support[i] / seed.publicSupport[0]) + family.endBonus
  }
  return { risk, value, picksOf: (label) => trail.picksOf(label) }
}
