import type { Kept } from "./exposure.ts"
import { FamilyQueue } from "./family-queue.ts"
import { type Generalisation, tie, wholeSeed } from "./generalise.ts"
import { granularityOf } from "./metrics.ts"
import { isPathBefore } from "./path-order.ts"
import type { RiskLimit } from "./risk.ts"
import { RunningRisk } from "./running-risk.ts"
import type { SeedProfile } from "./seed-profile.ts"

/**
 * GreedyIL (§5.3.3, Algorithm 1): prunes the leaf with the lowest loss of information until every limit is met. Among
 * equal losses, the first path is pruned. `from`: a rooted subtree to begin with, instead of the whole seed.
 *
 * Heuristic 1: DP never rises, so the first profile within the limits is the best on the way.
 *
 * Heuristic 2: a loss of DP is a loss of PG. In bits, IL(t) = dp(t) + dp(shadow) − dp(shadow'), where shadow' is t
 * merged into the shadow of its parent s, or s itself if t is its last child. Without pruned siblings this is
 * Pr(t | q)·(IC(t) − IC(s)), the paper's case C1. TS changes only when a single leaf is left, and then there is no
 * choice.
 *
 * Heuristic 3: a pruning changes the losses of siblings only.
 *
 * Deviation: the parent becomes a candidate when all its children are pruned. Line 13 of Algorithm 1 looks for
 * candidates among the siblings. It would prune an inner node whose remaining children are inner nodes themselves.
 */
export function greedyIl(
  seed: SeedProfile,
  limits: readonly RiskLimit[],
  { from }: { from?: Kept } = {},
): Generalisation {
  const kept = wholeSeed(seed)
  const risks = limits.map((limit) => new RunningRisk(seed, limit))
  const order: number[] = []
  if (from === undefined && risks.every((risk) => risk.holds(kept))) return { kept, order, taken: 0 }
  const families = new Families(seed)
  if (from !== undefined) {
    for (let node = seed.size - 1; node > 0; node--) {
      if (from[node] === 1) continue
      families.prune(node)
      kept[node] = 0
      order.push(node)
      for (const risk of risks) risk.prune(node)
    }
  }
  let within = from !== undefined && risks.every((risk) => risk.holds(kept))
  while (!within) {
    const leaf = families.pruneLowest()
    if (leaf < 0) break
    kept[leaf] = 0
    order.push(leaf)
    for (const risk of risks) risk.prune(leaf)
    within = risks.every((risk) => risk.holds(kept))
  }
  return { kept: within ? kept : kept.fill(0), order, taken: order.length }
}

/** The inner nodes that are left, each with its shadow and the child to prune first. */
class Families {
  readonly #seed: SeedProfile
  readonly #queue: FamilyQueue
  readonly #isPruned: Int32Array
  /** Number of children that are left. */
  readonly #left: Int32Array
  readonly #shadowPreference: Float64Array
  readonly #shadowSupport: Float64Array
  /** dp of each node as a leaf. */
  readonly #granularity: Float64Array
  readonly #best: Int32Array
  readonly #loss: Float64Array

  constructor(seed: SeedProfile) {
    const { size, parent, preference, publicSupport } = seed
    this.#seed = seed
    this.#queue = new FamilyQueue(size, (a, b) => isPathBefore(seed, this.#best[a], this.#best[b]))
    // Few large arrays: for a small seed, allocation is a large part of the work.
    const numbers = new Float64Array(size * 4)
    this.#shadowPreference = numbers.subarray(0, size)
    this.#shadowSupport = numbers.subarray(size, size * 2)
    this.#granularity = numbers.subarray(size * 2, size * 3)
    this.#loss = numbers.subarray(size * 3)
    const nodes = new Int32Array(size * 3)
    this.#left = nodes.subarray(0, size)
    this.#best = nodes.subarray(size, size * 2).fill(-1)
    this.#isPruned = nodes.subarray(size * 2)
    for (let node = size - 1; node >= 0; node--) {
      this.#granularity[node] = granularityOf(preference[node], publicSupport[node] / publicSupport[0])
      this.#shadowSupport[node] += publicSupport[node]
      if (node === 0) break
      this.#left[parent[node]]++
      this.#shadowSupport[parent[node]] -= publicSupport[node]
    }
    for (let node = 0; node < size; node++) if (this.#left[node] > 0) this.#scan(node)
  }

  /** Prunes the leaf with the lowest loss. Returns -1 if only the root is left. */
  pruneLowest(): number {
    const family = this.#queue.first
    if (family < 0) return -1
    const leaf = this.#best[family]
    this.prune(leaf)
    return leaf
  }

  prune(leaf: number): void {
    const { parent, preference, publicSupport } = this.#seed
    const above = parent[leaf]
    this.#isPruned[leaf] = 1
    this.#left[above]--
    this.#shadowPreference[above] += preference[leaf]
    this.#shadowSupport[above] += publicSupport[leaf]
    if (this.#left[above] > 0) {
      this.#scan(above)
      return
    }
    this.#queue.delete(above)
    if (above === 0) return
    // It is a leaf now. The losses of its siblings do not change.
    const family = parent[above]
    const loss = this.#lossOf(above, this.#shadowValue(family))
    const best = this.#best[family]
    if (best < 0 || loss < this.#loss[family] || (loss === this.#loss[family] && above < best))
      this.#setBest(family, above, loss)
  }

  /** Finds the child to prune first. Ties: in order of names. */
  #scan(family: number): void {
    const { end } = this.#seed
    const shadow = this.#shadowValue(family)
    let best = -1
    let lowest = Number.POSITIVE_INFINITY
    for (let child = family + 1; child < end[family]; child = end[child]) {
      if (this.#isPruned[child] === 1 || this.#left[child] > 0) continue
      const loss = this.#lossOf(child, shadow)
      if (loss >= lowest) continue
      best = child
      lowest = loss
    }
    if (best < 0) {
      this.#best[family] = -1
      this.#queue.delete(family)
    } else this.#setBest(family, best, lowest)
  }

  #setBest(family: number, child: number, loss: number): void {
    this.#best[family] = child
    this.#loss[family] = loss
    this.#queue.set(family, loss)
  }

  #shadowValue(family: number): number {
    return granularityOf(this.#shadowPreference[family], this.#shadowSupport[family] / this.#seed.publicSupport[0])
  }

  /** IL in units of `tie`, so that losses equal up to rounding are equal numbers. */
  #lossOf(leaf: number, shadow: number): number {
    const { parent, preference, publicSupport } = this.#seed
    const above = parent[leaf]
    const merged =
      this.#left[above] === 1
        ? this.#granularity[above]
        : granularityOf(
            this.#shadowPreference[above] + preference[leaf],
            (this.#shadowSupport[above] + publicSupport[leaf]) / publicSupport[0],
          )
    return Math.round((this.#granularity[leaf] + shadow - merged) / tie)
  }
}
