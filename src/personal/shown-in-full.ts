import type { CostLayer } from "./cost-layer.ts"
import { pathOf } from "./topic-tree.ts"

/** A sensitive topic that the bounds allow to be shown in full. */
export interface ShownInFull {
  path: string
  /** sen(s) / Σ sen: its share of the sensitive weight. */
  share: number
}

/**
 * Sensitive topics whose share of the sensitive weight is within every bound. Each of them may be shown in full. With
 * ten equally sensitive topics and δ = 0.1, that is any one of the ten.
 */
export function shownInFull({ profile, sensitive, cost, total }: CostLayer, bounds: readonly number[]): ShownInFull[] {
  const bound = Math.min(...bounds)
  return Array.from(sensitive, (node) => ({ path: pathOf(profile, node), share: cost[node] / total })).filter(
    ({ share }) => share <= bound,
  )
}
