import { wholeSeed } from "../../personal/generalise.ts"
import { exposureRisk } from "../../personal/risk.ts"
import type { SeedProfile } from "../../personal/seed-profile.ts"
import type { TableData } from "../study.ts"
import { judgeSearch } from "./results.ts"
import { algorithms, type Situation, type World } from "./world.ts"

/** Fig. 9 and 10: average precision before and after, by class, and how much of what the query asks the shown leaves cover. */
export function measureQuality(world: World, situations: readonly Situation[], delta: number): TableData {
  const sums = new Map<string, { precision: number; covered: number; n: number }>()
  const add = (name: string, ranking: string, value: { precision: number; covered: number }) => {
    for (const of of [name, "all"]) {
      const key = JSON.stringify([of, ranking])
      const { precision, covered, n } = sums.get(key) ?? { precision: 0, covered: 0, n: 0 }
      sums.set(key, { precision: precision + value.precision, covered: covered + value.covered, n: n + 1 })
    }
  }
  situations.forEach((situation, number) => {
    const { query, seed, user } = situation
    const quality = judgeSearch(world, situation, number)
    const judge = (kept: Uint8Array) => ({ precision: quality.fused(kept), covered: shareCovered(seed, kept) })
    const limits = [{ model: exposureRisk(seed, user.costs), delta }]
    add(query.class, "original", { precision: quality.original, covered: 0 })
    for (const [name, generalise] of Object.entries(algorithms))
      add(query.class, name, judge(generalise(seed, limits).kept))
    const whole = wholeSeed(seed)
    add(query.class, "whole seed", judge(whole))
    add(query.class, "at home", { precision: quality.fused(whole, { atHome: true }), covered: 1 })
  })
  const rows = [...sums].map(([key, { precision, covered, n }]) => {
    const [name, ranking]: [string, string] = JSON.parse(key)
    return [name, ranking, delta, precision / n, covered / n, n]
  })
  return { columns: ["class", "ranking", "delta", "AP", "covered", "n"], rows }
}

/** Of the leaves of a seed profile, the share that lies at or below a leaf of what is kept: not in a shadow. */
function shareCovered({ size, end, parent }: SeedProfile, kept: ArrayLike<number>): number {
  const hasKept = new Uint8Array(size)
  for (let node = size - 1; node > 0; node--) if (kept[node] === 1) hasKept[parent[node] ?? 0] = 1
  let [leaves, covered] = [0, 0]
  for (let node = 0; node < size; node++) {
    if (end[node] !== node + 1) continue
    leaves++
    let at = node
    while (at > 0 && kept[at] !== 1) at = parent[at] ?? 0
    if (kept[at] === 1 && hasKept[at] === 0) covered++
  }
  return leaves === 0 ? 0 : covered / leaves
}
