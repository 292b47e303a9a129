import { clusteredMean } from "../../kernels/statistics/clustered-mean.ts"
import { denominators } from "../../personal/metrics.ts"
import { exposureRisk, riskOf } from "../../personal/risk.ts"
import type { TableData } from "../study.ts"
import { algorithms } from "./algorithms.ts"
import { applyDecision } from "./decide.ts"
import type { Judged } from "./judged.ts"
import type { Situation } from "./person.ts"
import type { World } from "./world.ts"

const rules = ["off", "mu", "gain"] as const

interface ClarityOptions {
  situations: readonly Situation[]
  delta: number
  mu: number
  algorithm: string
}

/**
 * Ex4, clarity prediction: the effect of μ, and of stopping when there is no gain, under both readings of DP(q, R).
 * `personalised` is the share of searches that show something. `risk` is the mean over all searches. `flipped` is how
 * many of the n decisions change under the other reading. AP is over the searches that can be judged.
 */
export function measureClarity(world: World, { searches }: Judged, options: ClarityOptions): TableData {
  const { situations, delta, mu } = options
  const generalise = algorithms[options.algorithm]
  if (generalise === undefined) throw new RangeError("unknown algorithm")
  const qualities = new Map(searches.map(({ situation, quality }) => [situation.seed, quality]))
  const decided = situations.map((situation) => {
    const model = exposureRisk(situation.seed, situation.person.costs)
    return { situation, model, kept: generalise(situation.seed, [{ model, delta }]).kept }
  })
  const rows = rules.flatMap((decision) => {
    const shown = denominators.map((denominator) =>
      decided.map(({ situation, kept }) => applyDecision(world, situation, kept, { decision, mu, denominator })),
    )
    const flipped = decided.filter((_, i) => shown[0]?.[i]?.[0] !== shown[1]?.[i]?.[0]).length
    return denominators.map((denominator, which) => {
      const [precisions, clusters]: [number[], number[]] = [[], []]
      let [personalised, risk] = [0, 0]
      decided.forEach(({ situation: { seed, person }, model }, i) => {
        const kept = shown[which]?.[i] ?? new Uint8Array(seed.size)
        if (kept[0] === 1) {
          personalised += 1 / decided.length
          risk += riskOf(seed, model, kept) / decided.length
        }
        const quality = qualities.get(seed)
        if (quality === undefined) return
        precisions.push(quality.fused(kept))
        clusters.push(person.number)
      })
      const { mean, interval = [mean, mean] } = clusteredMean(precisions, { clusters })
      const [low, high] = interval
      return [
        decision,
        denominator,
        delta,
        mu,
        personalised,
        risk,
        flipped,
        decided.length,
        mean,
        low,
        high,
        precisions.length,
      ]
    })
  })
  const columns = [
    "decision",
    "denominator",
    "delta",
    "mu",
    "personalised",
    "risk",
    "flipped",
    "n",
    "AP",
    "low",
    "high",
    "judged",
  ]
  return { columns, rows }
}
