import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { topicsBroken } from "./path-values.ts"
import type { Profile } from "./profile.ts"
import { nodeOf } from "./topic-tree.ts"

/**
 * S with sen(s): the topics a person does not want to show, in taxonomy order. No topic is below another. Definitions 3
 * and 4.
 */
export interface SensitiveTopics {
  readonly topic: Int32Array
  /** Positive; only their ratios matter to the risk. */
  readonly sensitivity: Float64Array
}

/** The cost of disclosing each node of a profile. */
export interface CostLayer {
  readonly profile: Profile
  /** The cost of each node of the profile. Eq. 6. */
  readonly cost: Float64Array
  /** Σ sen(s) over the sensitive topics in the profile. Risk is divided by it. 0 means that nothing is at risk. */
  readonly total: number
  /** Nodes of the profile that are sensitive, ascending. */
  readonly sensitive: Int32Array
  /** All topics that the person declared, in the profile or not. */
  readonly declared: SensitiveTopics
}

/** Checks the topics that a person declared. `file` is named in errors; omit it if they did not come from a file. */
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
    // In preorder, every topic between a topic and its descendant is also a descendant, so comparing neighbours finds
    // every overlap.
    const [above] = pairs[i - 1]
    if (topic === above) throw broken(`The sensitive topic ${path} is given twice. Keep one.`)
    if (topic < taxonomy.end[above])
      throw broken(
        [
          `The sensitive topics ${taxonomy.path(above) || "(root)"} and ${path} overlap:`,
          "the second is below the first. Keep one.",
        ].join(" "),
      )
  })
  return {
    topic: Int32Array.from(pairs, ([topic]) => topic),
    sensitivity: Float64Array.from(pairs, ([, sensitivity]) => sensitivity),
  }
}

/**
 * The cost layer, from the leaves up. cost(s) = sen(s) for a sensitive topic s, and 0 for any other leaf. Otherwise
 * cost(t) = Σ over t' ∈ C(t, H) of cost(t') · Pr(t' | t), with Pr(t' | t) = sup(t') / sup(t) of the taxonomy. Eq. 6 and
 * 2.
 *
 * S ⊂ H by Definition 3. A declared topic that is not in the profile costs nothing and does not count in the total, so
 * it does not make other topics look harmless. If t has no public support, Pr(t' | t) is unknown and taken as 1.
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
