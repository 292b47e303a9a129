import { firstAtLeast } from "../kernels/search-sorted.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type Profile, profileFrom } from "./profile.ts"
import type { TopicTree } from "./topic-tree.ts"

/** Topics that are never shown, with everything below them. In taxonomy order; none is below another. */
export type NeverTopics = Int32Array

/** Sorts topics and leaves out those below another, because the upper one covers them. */
export function neverTopics({ end }: Pick<Taxonomy, "end">, topics: Iterable<number>): NeverTopics {
  const sorted = [...new Set(topics)].sort((a, b) => a - b)
  const kept: number[] = []
  for (const topic of sorted) {
    const above = kept.at(-1)
    if (above === undefined || topic >= end[above]) kept.push(topic)
  }
  return Int32Array.from(kept)
}

/** True if a topic is marked never show, or is below one that is. */
export function isNever({ end }: Pick<Taxonomy, "end">, never: NeverTopics, topic: number): boolean {
  const next = firstAtLeast(never, topic + 1)
  return next > 0 && topic < end[never[next - 1]]
}

/** True if a tree has a topic that is never shown. */
export function hasNever({ taxonomy, topic }: TopicTree, never: NeverTopics): boolean {
  return never.some((above) => {
    const first = firstAtLeast(topic, above)
    return first < topic.length && topic[first] < taxonomy.end[above]
  })
}

/**
 * The profile as if the person had no document about these topics. Exposures are computed from it alone, so they are
 * the same whether or not the person has such documents. Returns the same object if there is nothing to leave out.
 */
export function profileWithout(profile: Profile, never: NeverTopics): Profile {
  if (!hasNever(profile, never)) return profile
  const { taxonomy, topic, own } = profile
  const pairs = Array.from(topic, (id, node): [number, number] => [id, own[node]])
  return profileFrom(
    taxonomy,
    pairs.filter(([id]) => !isNever(taxonomy, never, id)),
  )
}
