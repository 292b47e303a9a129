import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { topicsBroken } from "./path-values.ts"
import { nodeOf, type TopicTree, trieOf } from "./topic-tree.ts"

/** H: the interests of a person. Shou et al. 2014, Definition 1. */
export interface Profile extends TopicTree {
  /** Number of the person's documents about the topic itself. */
  readonly own: Float64Array
  /** sup_H(t) = own(t) + the supports of t's children in H. In eq. 4, only leaves have a support of their own. */
  readonly support: Float64Array
}

/** The profile with these own supports, given as (topic, support) in any order. A topic with support 0 is left out. */
export function profileFrom(
  taxonomy: Taxonomy,
  supports: Iterable<readonly [topic: number, support: number]>,
): Profile {
  const given = [...supports].filter(([, support]) => support !== 0)
  for (const [topic, support] of given) {
    if (!(support > 0 && support < Number.POSITIVE_INFINITY))
      throw topicsBroken(`The support of ${taxonomy.path(topic)} must be a number, 0 or more.`)
  }
  const tree = trieOf(
    taxonomy,
    given.map(([topic]) => topic),
  )
  const own = new Float64Array(tree.size)
  for (const [topic, support] of given) own[nodeOf(tree, topic)] += support
  const support = own.slice()
  for (let node = tree.size - 1; node > 0; node--) support[tree.parent[node]] += support[node]
  return { ...tree, own, support }
}

/** True if a profile has no interests. */
export const isEmpty = ({ support }: Profile): boolean => support[0] === 0
