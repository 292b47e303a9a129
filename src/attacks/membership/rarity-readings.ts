import type { SearchLog } from "../../log/search-log.ts"
import { histories } from "../../methods/counts/histories.ts"
import type { TransitionRule } from "../../methods/counts/transition-rule.ts"
import type { Targets } from "./draw-targets.ts"
import { keysOfPerson } from "./person-keys.ts"
import type { ShownKeys } from "./shown-keys.ts"

/**
 * What a release shows of each target's own keys, to one who knows nobody else's. A key that is shown weighs −ln(its share of
 * the table), one that is not 0: rare keys that are shown tell most. Three readings: the mean weight of his keys, the
 * largest, and the share of his keys that are shown.
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
