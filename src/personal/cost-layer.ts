import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { topicsBroken } from "./path-values.ts"
import type { Profile } from "./profile.ts"
import { nodeOf } from "./topic-tree.ts"

/** S with sen(s): topics that a person does not want to show, by taxonomy order, none below another. Definitions 3 and 4. */
export interface SensitiveTopics {
  readonly topic: Int32Array
  /** Positive; only their ratios matter to the risk. */
  readonly sensitivity: Float64Array
}

/** What the disclosure of a node puts at risk. */
export interface CostLayer {
  readonly profile: Profile
  /** Of each node of the profile. Eq. 6. */
  readonly cost: Float64Array
  /** Σ sen(s) over the sensitive topics in the profile: what risk is divided by. 0: nothing is at risk. */
  readonly total: number
  /** Nodes of the profile that are sensitive, ascending. */
  readonly sensitive: Int32Array
  /** All that the person declared, in the profile or not. */
  readonly declared: SensitiveTopics
}

/** Checks what a person declared, in a `file` or not. */
export function sensitiveTopics(
  taxonomy: Taxonomy,
  declared: Iterable<readonly [topic: number, sensitivity: number]>,
  { file }: { file?: string } = {},
): SensitiveTopics {
  const broken = (message: string) => topicsBroken(message, file)
  const pairs = [...declared].sort(([a], [b]) => a - b)
  pairs.forEach(([topic, sensitivity], i) => {
    const path = taxonomy.path(topic)
    if (!(sensitivity > 0 && sensitivity < Number.POSITIVE_INFINITY))
      throw broken(`The sensitivity of ${path} is ${sensitivity}: expected a number above 0.`)
    if (i === 0) return
    // In preorder, whatever lies between a topic and one below it lies below it too, so neighbours tell of every overlap.
    const [above] = pairs[i - 1]
    if (topic === above) throw broken(`The sensitive topic ${path} is given twice. Keep one.`)
    if (topic < taxonomy.end[above])
      throw broken(
        `The sensitive topics ${taxonomy.path(above) || "(root)"} and ${path} overlap: the second lies below the first. Keep one.`,
      )
  })
  return {
    topic: Int32Array.from(pairs, ([topic]) => topic),
    sensitivity: Float64Array.from(pairs, ([, sensitivity]) => sensitivity),
  }
}

/**
 * The cost layer, from the leaves up: cost(s) = sen(s) for a sensitive topic s; 0 for another leaf; else
 * cost(t) = Σ over t' ∈ C(t, H) of cost(t') · Pr(t' | t), with Pr(t' | t) = sup(t') / sup(t) of the taxonomy. Eq. 6 and 2.
 *
 * S ⊂ H by Definition 3: a declared topic that the profile does not have costs nothing and does not count in the total, so
 * that it makes no other topic look harmless. Below a topic without public support Pr(t' | t) is unknown and taken as 1.
 */
export function costLayer(profile: Profile, declared: SensitiveTopics): CostLayer {
  const { topic, sensitivity } = declared
  const { size, parent, taxonomy } = profile
  const publicSupport = (node: number) => taxonomy.support[profile.topic[node]]
  const cost = new Float64Array(size)
  const isSensitive = new Uint8Array(size)
  const sensitive: number[] = []
  let total = 0
  for (let i = 0; i < topic.length; i++) {
    const node = nodeOf(profile, topic[i])
    if (node < 0 || profile.support[node] === 0) continue
    cost[node] = sensitivity[i]
    isSensitive[node] = 1
    sensitive.push(node)
    total += sensitivity[i]
  }
  for (let node = size - 1; node > 0; node--) {
    const above = parent[node]
    if (cost[node] === 0 || isSensitive[above] === 1) continue
    cost[above] += cost[node] * (publicSupport(above) === 0 ? 1 : publicSupport(node) / publicSupport(above))
  }
  return { profile, cost, total, sensitive: Int32Array.from(sensitive), declared }
}
