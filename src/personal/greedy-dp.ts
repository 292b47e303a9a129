import type { Kept } from "./exposure.ts"
import { type Generalisation, tie, wholeSeed } from "./generalise.ts"
import { bitsOf } from "./metrics.ts"
import { isPathBefore } from "./path-order.ts"
import { holds, type RiskLimit } from "./risk.ts"
import type { SeedProfile } from "./seed-profile.ts"

/**
 * GreedyDP (§5.3.2): repeatedly prunes the leaf that leaves the highest DP, until only the root is left. It keeps the
 * best profile within the limits that it met. DP never rises (Theorem 2), so that is the first such profile. Every
 * candidate is measured anew, as in the paper; `greedyIl` gives the same result without that. Among equal candidates,
 * the first path is pruned.
 */
export function greedyDp(seed: SeedProfile, limits: readonly RiskLimit[]): Generalisation {
  const kept = wholeSeed(seed)
  const order: number[] = []
  let best: { kept: Kept; taken: number; bits: number } | undefined
  for (;;) {
    const bits = bitsOf(seed, kept)
    if ((best === undefined || bits > best.bits + tie) && holds(seed, limits, kept))
      best = { kept: kept.slice(), taken: order.length, bits }
    const leaf = bestLeaf(seed, kept)
    if (leaf < 0) break
    kept[leaf] = 0
    order.push(leaf)
  }
  return { order, kept: best?.kept ?? kept.fill(0), taken: best?.taken ?? order.length }
}

function bestLeaf(seed: SeedProfile, kept: Kept): number {
  let best = -1
  let highest = Number.NEGATIVE_INFINITY
  for (let node = 1; node < seed.size; node++) {
    if (kept[node] === 0 || !isLeaf(seed, kept, node)) continue
    kept[node] = 0
    const bits = bitsOf(seed, kept)
    kept[node] = 1
    if (bits < highest - tie) continue
    if (bits > highest + tie || isPathBefore(seed, node, best)) {
      best = node
      highest = bits
    }
  }
  return best
}

function isLeaf({ end }: SeedProfile, kept: Kept, node: number): boolean {
  for (let child = node + 1; child < end[node]; child = end[child]) if (kept[child] === 1) return false
  return true
}
