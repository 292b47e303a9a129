import { metricsOf, stepsOf, wholeSeed } from "../../personal/generalise.ts"
import { exposureRisk, riskOf } from "../../personal/risk.ts"
import type { TableData } from "../study.ts"
import { algorithms } from "./algorithms.ts"
import type { Situation } from "./person.ts"
import { queryClasses } from "./world.ts"

/**
 * Fig. 5: every pruning step down to the root, for the person whose queries of the three classes have the largest seed
 * profiles.
 */
export function measureSteps(situations: readonly Situation[]): TableData {
  const rows: (string | number)[][] = []
  for (const { person, query, seed } of largestOfEachClass(situations)) {
    const model = exposureRisk(seed, person.costs)
    for (const name of ["GreedyDP", "GreedyIL"]) {
      const order = algorithms[name]?.(seed, [{ model, delta: 0 }]).order ?? []
      const steps = [metricsOf(seed, model, wholeSeed(seed)), ...stepsOf(seed, model, order)]
      const knee = findKnee(steps)
      steps.forEach(({ PG, TS, DP, risk }, step) => {
        rows.push([query.class, name, step, PG, TS, DP, risk, step === knee ? 1 : 0])
      })
    }
  }
  return { columns: ["class", "algorithm", "step", "PG", "TS", "DP", "risk", "knee"], rows }
}

function largestOfEachClass(situations: readonly Situation[]): Situation[] {
  let best: Situation[] = []
  // Seeds at risk are more interesting, so they count more.
  const worthOf = ({ person, seed }: Situation) =>
    seed.size * (riskOf(seed, exposureRisk(seed, person.costs), wholeSeed(seed)) > 0.05 ? 1000 : 1)
  const worthOfAll = (chosen: readonly Situation[]) => chosen.reduce((sum, one) => sum + worthOf(one), 0)
  for (const person of new Set(situations.map((situation) => situation.person))) {
    const own = situations.filter((situation) => situation.person === person)
    const chosen = queryClasses.flatMap((name) => {
      const ofClass = own.filter(({ query }) => query.class === name)
      return ofClass.sort((a, b) => worthOf(b) - worthOf(a)).slice(0, 1)
    })
    if (worthOfAll(chosen) > worthOfAll(best)) best = chosen
  }
  return best
}

/**
 * The step whose point (risk, DP) is farthest above the line from the first to the last. Both axes are scaled to [0,
 * 1].
 */
function findKnee(steps: readonly { DP: number; risk: number }[]): number {
  const scale = (key: "DP" | "risk") => {
    const values = steps.map((step) => step[key])
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return (value: number) => (high === low ? 0 : (value - low) / (high - low))
  }
  const [x, y] = [scale("risk"), scale("DP")]
  let knee = 0
  let most = Number.NEGATIVE_INFINITY
  steps.forEach(({ DP, risk }, step) => {
    const height = y(DP) - x(risk)
    if (height > most + 1e-12) {
      most = height
      knee = step
    }
  })
  return knee
}
