import type { Profile } from "./profile.ts"
import type { RelevantTopics } from "./relevant-topics.ts"
import { informationContent, nodeOf, type TopicTree, trieOf } from "./topic-tree.ts"

/**
 * G0: the part of a profile that a query asks for, the trie of T_H(q) = T(q) ∩ H. An exposure is a rooted subtree of
 * it. Its leaves are T_H(q); none is below another.
 */
export interface SeedProfile extends TopicTree {
  readonly profile: Profile
  /** Maps each node to its node in the profile. */
  readonly origin: Int32Array
  /** sup_R(t), of the taxonomy. Differences of whole supports are exact; differences of probabilities are not. */
  readonly publicSupport: Float64Array
  /** Pr(t | q, H): the person's preference, summed over the leaves below. Eq. 7. */
  readonly preference: Float64Array
  /** IC(t). Eq. 9. */
  readonly content: Float64Array
  /** Least common ancestor of the leaves. If there is one leaf, the leaf itself. */
  readonly lca: number
  /** Σ over T_H(q) of Pr(t | q, H) · IC(t): half of the divisor of DP. Eq. 12. */
  readonly expectedContent: number
}

/** The seed profile, or undefined if no relevant topic is in the profile. Nothing is exposed then. */
export function seedProfile(profile: Profile, relevant: RelevantTopics): SeedProfile | undefined {
  const { taxonomy } = profile
  const found = [...relevant.topic].filter((topic) => {
    const node = nodeOf(profile, topic)
    return node >= 0 && profile.support[node] > 0
  })
  if (found.length === 0) return undefined
  const tree = trieOf(taxonomy, found)
  const { size, topic, parent, end } = tree
  const origin = Int32Array.from(topic, (id) => nodeOf(profile, id))
  const preference = new Float64Array(size)
  const isLeaf = (node: number) => end[node] === node + 1
  let sum = 0
  for (let node = 0; node < size; node++) if (isLeaf(node)) sum += profile.support[origin[node]]
  const content = Float64Array.from(topic, (id) => informationContent(taxonomy, id))
  let expectedContent = 0
  for (let node = size - 1; node >= 0; node--) {
    if (isLeaf(node)) {
      preference[node] = profile.support[origin[node]] / sum
      expectedContent += preference[node] * content[node]
    }
    if (node > 0) preference[parent[node]] += preference[node]
  }
  let lca = 0
  while (!isLeaf(lca) && end[lca + 1] === end[lca]) lca++
  return {
    ...tree,
    profile,
    origin,
    publicSupport: Float64Array.from(topic, (id) => taxonomy.support[id]),
    preference,
    content,
    lca,
    expectedContent,
  }
}
