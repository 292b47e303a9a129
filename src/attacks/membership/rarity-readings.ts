import type { SearchLog } from "../../log/search-log.ts"
import { histories } from "../../methods/counts/histories.ts"
import type { TransitionRule } from "../../methods/counts/transition-rule.ts"
import type { Targets } from "./draw-targets.ts"
import { keysOfPerson } from "./person-keys.ts"
import type { ShownKeys } from "./shown-keys.ts"

/**
 * What a release shows of each target's own keys to an adversary who knows nobody else's. A shown key weighs −ln(its
 * share of the table); a key that is not shown weighs 0. Rare keys that are shown reveal most. There are three
 * readings: the mean weight of the target's keys, the largest weight, and the share of their keys that are shown.
 */
export function readRarity(
  log: SearchLog,
  { shown, rule }: { shown: readonly ShownKeys[]; rule: TransitionRule },
  { targetOf, count }: Targets,
): Float64Array[] {
  const [mean, largest, share] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (const history of histories(log)) {
    const target = targetOf[history.user]
    if (target < 0) continue
    let keys = 0
    for (const { table, counts, total } of shown) {
      for (const key of keysOfPerson(log, history, { table, rule }).keys()) {
        keys++
        const noisy = counts.get(key)
        if (noisy === undefined) continue
        const weight = Math.log(total / Math.max(1, noisy))
        mean[target] += weight
        largest[target] = Math.max(largest[target], weight)
        share[target]++
      }
    }
    if (keys > 0) {
      mean[target] /= keys
      share[target] /= keys
    }
  }
  return [mean, largest, share]
}
