import { type Combining, type Family, pointsOf } from "./family.ts"
import { type Front, frontOf } from "./front.ts"
import { Trail } from "./labels.ts"

const nothing: Front = { risk: [], value: [] }

/** Number of combinations of children: each child is pruned, or one of its points is taken. */
export function countCombinations({ children }: Family, { fronts }: Combining): number {
  return children.reduce((count, child) => count * (1 + (fronts[child]?.risk.length ?? 0)), 1)
}

/** The exact front of a family, by trying every combination within the budget. */
export function combineAll(family: Family, combining: Combining): Required<Front> {
  const { seed, model, fronts, budget, scratch } = combining
  let [labels, next] = scratch
  labels.begin(family)
  const trail = new Trail(family.children.length, countCombinations(family, combining))
  family.children.forEach((child, stage) => {
    const [preference, support] = [seed.preference[child], seed.publicSupport[child]]
    const { risk: risks, value: values } = fronts[child] ?? nothing
    next.size = 0
    next.extend(labels, { pick: -1, risk: 0, priced: 0, budget })
    for (let pick = 0; pick < values.length; pick++)
      next.extend(labels, { pick, risk: risks[pick] - model.seen[child], priced: 0, budget })
    next.complete(labels, { preference, support, values })
    trail.note(stage, next)
    ;[labels, next] = [next, labels]
  })
  return frontOf(pointsOf(family, combining, { labels, trail }))
}
