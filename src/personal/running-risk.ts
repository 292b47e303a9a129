import type { Kept } from "./exposure.ts"
import { type RiskLimit, riskOf } from "./risk.ts"
import type { SeedProfile } from "./seed-profile.ts"

/** The rounding error of the running sums is far below this share of the total. */
const slack = 1e-9

/** Risk(t, G) while leaves are pruned from G. Each pruning changes only the path up to the root. */
export class RunningRisk {
  readonly #seed: SeedProfile
  readonly #limit: RiskLimit
  readonly #sum: Float64Array
  readonly #risk: Float64Array

  /** Starts with the whole seed. */
  constructor(seed: SeedProfile, limit: RiskLimit) {
    const { cost, beside } = limit.model
    this.#seed = seed
    this.#limit = limit
    this.#sum = beside.slice()
    this.#risk = new Float64Array(seed.size)
    for (let node = seed.size - 1; node >= 0; node--) {
      this.#risk[node] = Math.max(cost[node], this.#sum[node])
      if (node > 0) this.#sum[seed.parent[node]] += this.#risk[node]
    }
  }

  prune(leaf: number): void {
    const { cost, seen } = this.#limit.model
    let change = seen[leaf] - this.#risk[leaf]
    for (let node = this.#seed.parent[leaf]; node >= 0 && change !== 0; node = this.#seed.parent[node]) {
      this.#sum[node] += change
      const before = this.#risk[node]
      this.#risk[node] = Math.max(cost[node], this.#sum[node])
      change = this.#risk[node] - before
    }
  }

  /** True if what is kept is within the limit. The final test uses `riskOf`, the same sum that a verifier computes. */
  holds(kept: Kept): boolean {
    const { model, delta } = this.#limit
    return this.#risk[0] <= (delta + slack) * model.total && riskOf(this.#seed, model, kept) <= delta
  }
}
