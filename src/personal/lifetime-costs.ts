import { type CostLayer, costLayer, sensitiveTopics } from "./cost-layer.ts"
import { isWithin } from "./is-within.ts"
import { profileFrom } from "./profile.ts"
import { nodeOf } from "./topic-tree.ts"

/** The costs that measure the lifetime bound of one observer. */
export interface LifetimeCosts {
  readonly costs: CostLayer
  /** Sensitive topics that the profile no longer has. They count because the observer was shown them. */
  readonly gone: readonly (readonly [path: string, sensitivity: number])[]
}

/**
 * The cost layer of everything an observer was ever shown. A sensitive topic counts if the profile has it or if the
 * observer was shown it: when the person forgets a topic or a day, the observer does not. `lost` holds marks of
 * forgotten topics. A later mark on the same path replaces them.
 */
export function lifetimeCosts(
  costs: CostLayer,
  { shown, lost }: { shown: ReadonlySet<string>; lost: ReadonlyMap<string, number> },
): LifetimeCosts {
  const { profile, declared } = costs
  const { taxonomy } = profile
  const isCounted = (topic: number) => (profile.support[nodeOf(profile, topic)] ?? 0) > 0
  const marks = Array.from(declared.topic, (topic, i) => {
    return { topic, path: taxonomy.path(topic), sensitivity: declared.sensitivity[i] }
  })
  const isReplaced = (path: string) => marks.some((mark) => isWithin(mark.path, path) || isWithin(path, mark.path))
  const forgotten = [...lost]
    .filter(([path]) => !isReplaced(path))
    .map(([path, sensitivity]) => ({ topic: taxonomy.find(path), path, sensitivity }))
  const gone = [...marks.filter(({ topic }) => !isCounted(topic)), ...forgotten].filter(
    ({ topic, path }) => topic > 0 && shown.has(path),
  )
  if (gone.length === 0) return { costs, gone: [] }
  const own = Array.from(profile.topic, (topic, node): [number, number] => [topic, profile.own[node]])
  const whole = profileFrom(taxonomy, [...own, ...gone.map(({ topic }): [number, number] => [topic, 1])])
  const counted = [...marks.filter(({ topic }) => isCounted(topic)), ...gone]
  const pairs = counted.map(({ topic, sensitivity }): [number, number] => [topic, sensitivity])
  return {
    costs: costLayer(whole, sensitiveTopics(taxonomy, pairs)),
    gone: gone.map(({ path, sensitivity }) => [path, sensitivity]),
  }
}
