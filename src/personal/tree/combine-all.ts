import { type Combining, type Family, shadowValue } from "./family.ts"
import { type Front, frontOf } from "./front.ts"

/** How many combinations of children there are: each is pruned, or one of its points is taken. */
export function countCombinations({ children }: Family, { fronts }: Combining): number {
  return children.reduce((count, child) => count * (1 + (fronts[child]?.risk.length ?? 0)), 1)
}

/** The front of a family by looking at every combination within the budget: exact. */
export function combineAll(family: Family, { seed, model, fronts, budget }: Combining): Required<Front> {
  const { children } = family
  let labels = { risk: [family.risk], value: [family.value], preference: [0], support: [family.support] }
  const stages: { from: number[]; pick: number[] }[] = []
  for (const child of children) {
    const front = fronts[child]
    const next = { risk: [] as number[], value: [] as number[], preference: [] as number[], support: [] as number[] }
    const stage = { from: [] as number[], pick: [] as number[] }
    for (let i = 0; i < labels.risk.length; i++) {
      next.risk.push(labels.risk[i])
      next.value.push(labels.value[i])
      next.preference.push(labels.preference[i] + seed.preference[child])
      next.support.push(labels.support[i] + seed.publicSupport[child])
      stage.from.push(i)
      stage.pick.push(-1)
      if (front === undefined) continue
      for (let point = 0; point < front.risk.length; point++) {
        const risk = labels.risk[i] + front.risk[point] - model.seen[child]
        if (risk > budget) break
        next.risk.push(risk)
        next.value.push(labels.value[i] + front.value[point])
        next.preference.push(labels.preference[i])
        next.support.push(labels.support[i])
        stage.from.push(i)
        stage.pick.push(point)
      }
    }
    labels = next
    stages.push(stage)
  }
  return frontOf({
    risk: labels.risk.map((risk) => Math.max(family.cost, risk)),
    value: labels.value.map((value, i) => {
      return value + shadowValue(family, seed, { preference: labels.preference[i], support: labels.support[i] })
    }),
    picksOf: (label) => {
      const picks = new Int32Array(children.length)
      for (let stage = children.length - 1, at = label; stage >= 0; at = stages[stage].from[at], stage--)
        picks[stage] = stages[stage].pick[at]
      return picks
    },
  })
}
