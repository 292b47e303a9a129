import { granularityOf } from "../metrics.ts"
import type { RiskModel } from "../risk.ts"
import type { SeedProfile } from "../seed-profile.ts"
import type { Front, Points } from "./front.ts"
import type { Labels, Trail } from "./labels.ts"

/** A node that is kept and whose relevant children are not chosen yet. */
export interface Family {
  /** Children that add risk if kept and that can be kept. Children that add no risk are kept whole. */
  readonly children: readonly number[]
  /** Children that cannot be kept within the budget. */
  readonly barred: readonly number[]
  /** Lower bound of Risk(node). */
  readonly cost: number
  /** Sum of the risks below the node if all relevant children are pruned. */
  readonly risk: number
  /** Value of what is kept in any case. */
  readonly value: number
  /** Preference and public support of the shadow if only the barred children are pruned. */
  readonly preference: number
  readonly support: number
  /** TS gained if the child is pruned. Only above the least common ancestor of the seed. */
  readonly endBonus: number
}

/** Properties of each node's whole subtree in the seed. */
export interface Wholes {
  /** Risk(t) if the whole subtree is kept. */
  readonly risk: Float64Array
  /** Risk(t) if t alone is kept. */
  readonly least: Float64Array
  /** PG of the whole subtree; at the least common ancestor and above, plus TS. */
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

/** The inputs for combining a family. */
export interface Combining {
  readonly seed: SeedProfile
  readonly model: RiskModel
  readonly wholes: Wholes
  /** The front of each node that has one. A node without a front cannot be kept. */
  readonly fronts: readonly (Front | undefined)[]
  /** Upper bound of every sum of risks. */
  readonly budget: number
  readonly scratch: readonly [Labels, Labels, Labels]
}

/**
 * The points that the choices for all children lead to. They include the node's own cost and the part that the pruned
 * children have in PG: as the node's shadow, or as the node itself if all are pruned. Above the least common ancestor,
 * the latter ends the profile and adds TS.
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
