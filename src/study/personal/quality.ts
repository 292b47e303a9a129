import { clusteredMean } from "../../kernels/statistics/clustered-mean.ts"
import { forbidSensitive } from "../../personal/forbid-sensitive.ts"
import { wholeSeed } from "../../personal/generalise.ts"
import { exposureRisk } from "../../personal/risk.ts"
import type { SeedProfile } from "../../personal/seed-profile.ts"
import type { TableData } from "../study.ts"
import { algorithms } from "./algorithms.ts"
import { applyDecision, type DecisionOptions } from "./decide.ts"
import type { Judged } from "./judged.ts"
import type { World } from "./world.ts"

/** The values of one class and ranking, each with its person. */
interface Sample {
  precision: number[]
  /** The average precision minus that of the engine's order. */
  gain: number[]
  covered: number[]
  person: number[]
}

/**
 * Fig. 9 and 10: average precision before and after, by class, and the gain of each search. The 95 % intervals treat
 * people as the sampling unit. Also measures how much of the query's topics the shown leaves cover.
 */
export function measureQuality(
  world: World,
  { by, searches }: Judged,
  { delta, ...decision }: DecisionOptions & { delta: number },
): TableData {
  const samples = new Map<string, Sample>()
  for (const { situation, quality } of searches) {
    const { query, seed, person } = situation
    const limits = [{ model: exposureRisk(seed, person.costs), delta }]
    const add = (ranking: string, precision: number, covered: number) => {
      for (const name of [query.class, "all"]) {
        const key = JSON.stringify([name, ranking])
        const sample = samples.get(key) ?? { precision: [], gain: [], covered: [], person: [] }
        samples.set(key, sample)
        sample.precision.push(precision)
        sample.gain.push(precision - quality.original)
        sample.covered.push(covered)
        sample.person.push(person.number)
      }
    }
    add("original", quality.original, 0)
    const shown = Object.entries(algorithms).map(([name, generalise]): [string, Uint8Array] => {
      return [name, applyDecision(world, situation, generalise(seed, limits).kept, decision)]
    })
    const whole = wholeSeed(seed)
    for (const [name, kept] of [
      ...shown,
      ["forbidding", forbidSensitive(seed, person.costs)],
      ["whole seed", whole],
    ] as const)
      add(name, quality.fused(kept), shareCovered(seed, kept))
    add("at home", quality.atHome(), 1)
    for (const [name, kept] of shown) if (name === "tree") add("tree, then at home", quality.atHome(kept), 1)
  }
  const rows = [...samples].map(([key, { precision, gain, covered, person }]) => {
    const [name, ranking]: [string, string] = JSON.parse(key)
    const [average, gained] = [precision, gain].map((values) => {
      const { mean, interval = [mean, mean] } = clusteredMean(values, { clusters: person })
      return [mean, ...interval]
    })
    const share = covered.reduce((sum, value) => sum + value, 0) / covered.length
    return [name, ranking, delta, ...(average ?? []), ...(gained ?? []), share, precision.length, by]
  })
  const means = ["AP", "low", "high", "gain", "gain low", "gain high"]
  return { columns: ["class", "ranking", "delta", ...means, "covered", "n", "judged by"], rows }
}

/** The share of a seed profile's leaves that are at or below a leaf of the kept part, rather than in a shadow. */
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
