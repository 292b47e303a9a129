import { QueryveilError } from "../kernels/error.ts"
import type { Kept } from "./exposure.ts"
import { chosen, type Generalisation, tie, wholeSeed } from "./generalise.ts"
import { bitsOf } from "./metrics.ts"
import { type RiskLimit, riskOf } from "./risk.ts"
import type { SeedProfile } from "./seed-profile.ts"

const mostSubtrees = 1 << 18

/**
 * The best of all rooted subtrees within the limits, by exhaustive search (§5.3.1). It is for small profiles, and to
 * judge the other generalisers. Ties: less risk, then fewer topics.
 */
export function optimal(seed: SeedProfile, limits: readonly RiskLimit[]): Generalisation {
  const count = countSubtrees(seed)
  if (count > mostSubtrees) {
    const many = count < 1e15 ? count.toLocaleString("en") : count.toExponential(1)
    throw new QueryveilError(
      "option-value",
      [
        `optimal: the seed profile has ${many} rooted subtrees.`,
        `At most ${mostSubtrees.toLocaleString("en")} can be tried. Choose tree.`,
      ].join(" "),
      { flag: "--algorithm" },
    )
  }
  const kept = wholeSeed(seed)
  let best: { kept: Kept; bits: number; risk: number; size: number } | undefined
  const visit = (node: number): void => {
    if (node < seed.size) {
      visit(node + 1)
      if (node === 0) return
      kept.fill(0, node, seed.end[node])
      visit(seed.end[node])
      kept.fill(1, node, seed.end[node])
      return
    }
    const risks = limits.map(({ model }) => riskOf(seed, model, kept))
    if (risks.some((risk, i) => risk > limits[i].delta)) return
    const found = {
      bits: bitsOf(seed, kept),
      risk: Math.max(0, ...risks),
      size: kept.reduce((sum, mark) => sum + mark, 0),
    }
    if (best === undefined || isBetter(found, best)) best = { kept: kept.slice(), ...found }
  }
  visit(0)
  return chosen(best?.kept ?? kept.fill(0), { gap: 0 })
}

interface ScoredSubtree {
  bits: number
  risk: number
  size: number
}

function isBetter(a: ScoredSubtree, b: ScoredSubtree): boolean {
  if (Math.abs(a.bits - b.bits) > tie) return a.bits > b.bits
  return a.risk !== b.risk ? a.risk < b.risk : a.size < b.size
}

/** Each node is either pruned, or kept with any choice for each of its children. */
function countSubtrees({ size, parent }: SeedProfile): number {
  const choices = new Float64Array(size).fill(1)
  for (let node = size - 1; node > 0; node--) choices[parent[node]] *= choices[node] + 1
  return choices[0]
}
