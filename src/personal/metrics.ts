import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import type { Kept } from "./exposure.ts"
import type { RelevantTopics } from "./relevant-topics.ts"
import type { SeedProfile } from "./seed-profile.ts"
import { informationContent } from "./topic-tree.ts"

/*
 * Shou et al. 2014, §5.1, in the simplest form. G is a rooted subtree of a seed profile, `kept`, and has at least the
 * root.
 *
 * T_G(q) are the leaves of G and the shadows. An inner node s of G with pruned children has one shadow (footnote 4), a
 * leaf that represents them: Pr(shadow | q, G) is the preference of the pruned children, and
 * Pr(shadow) = Pr(s) − Σ over C(s, G) of Pr(t), all that s is about besides its visible children.
 */

/** A node of T_G(q). */
interface ProfileLeaf {
  /** The node in the seed. For a shadow, its parent. */
  node: number
  preference: number
  publicSupport: number
}

/** dp = p · log2(p / Pr) of a topic with this preference and probability; 0 if p is 0. Eq. 16. */
export function granularityOf(preference: number, probability: number): number {
  return preference === 0 ? 0 : preference * Math.log2(preference / probability)
}

/** T_G(q). */
function leavesOf(seed: SeedProfile, kept: Kept): ProfileLeaf[] {
  const { end, preference, publicSupport } = seed
  const leaves: ProfileLeaf[] = []
  for (let node = 0; node < seed.size; node++) {
    if (kept[node] === 0) continue
    let children = 0
    let pruned = 0
    let support = publicSupport[node]
    for (let child = node + 1; child < end[node]; child = end[child]) {
      if (kept[child] === 1) {
        children++
        support -= publicSupport[child]
      } else pruned += preference[child]
    }
    if (children === 0) {
      leaves.push({ node, preference: preference[node], publicSupport: publicSupport[node] })
    } else if (pruned > 0) leaves.push({ node, preference: pruned, publicSupport: support })
  }
  return leaves
}

/**
 * PG(q, G) = Σ over T_G(q) of Pr(t | q, G) · log2(Pr(t | q, G) / Pr(t)), in bits: how far the profile narrows the
 * world. Eq. 10.
 */
export function profileGranularity(seed: SeedProfile, kept: Kept): number {
  return granularityOfLeaves(seed, leavesOf(seed, kept))
}

/** TS(q, G) = IC(lca(T_G(q))). Eq. 11. */
export function topicSimilarity(seed: SeedProfile, kept: Kept): number {
  return similarityOfLeaves(seed, leavesOf(seed, kept))
}

/** DP(q, G) = (PG + TS) / (2 · Σ over T_H(q) of Pr(t | q, H) · IC(t)), eq. 12. 0 if all of it is about the root. */
export function discriminatingPower(seed: SeedProfile, kept: Kept): number {
  return scalePower(seed, bitsOf(seed, kept))
}

/** PG + TS: DP without its divisor. The divisor is the same for all subtrees of a seed profile. */
export function bitsOf(seed: SeedProfile, kept: Kept): number {
  const leaves = leavesOf(seed, kept)
  return granularityOfLeaves(seed, leaves) + similarityOfLeaves(seed, leaves)
}

export function scalePower({ expectedContent }: SeedProfile, bits: number): number {
  return expectedContent === 0 ? 0 : bits / (2 * expectedContent)
}

function granularityOfLeaves(seed: SeedProfile, leaves: readonly ProfileLeaf[]): number {
  let sum = 0
  for (const { preference, publicSupport } of leaves)
    sum += granularityOf(preference, publicSupport / seed.publicSupport[0])
  return sum
}

/** The shadow of s is below s, so its common ancestor with another leaf is s or above s. */
function similarityOfLeaves(seed: SeedProfile, leaves: readonly ProfileLeaf[]): number {
  let lca = leaves[0].node
  for (const { node } of leaves) while (node < lca || node >= seed.end[lca]) lca = seed.parent[lca]
  return seed.content[lca]
}

/** What DP(q, R) is divided by. The paper can be read in two ways; see `powerWithoutProfile`. */
export const denominators = ["query", "profile"] as const
/** One of `denominators`. */
export type Denominator = (typeof denominators)[number]

/**
 * DP(q, R), of the query alone: eq. 10–12 with Pr(t | q) of eq. 8 over T(q). 0 if nothing is relevant.
 *
 * §5.1.1 replaces Pr(t | q, G) of eq. 12. It does not say whether Pr(t | q, H) in the denominator is replaced too. If
 * it is, DP(q, R) is divided by 2 · Σ over T(q) of Pr(t | q) · IC(t), a property of the query: at most 1, and 1 for a
 * single topic. If it is not (`seed` is given), DP(q, R) is divided by 2 · Σ over T_H(q) of Pr(t | q, H) · IC(t), as
 * DP(q, G) is. It can then exceed 1.
 */
export function powerWithoutProfile(
  taxonomy: Taxonomy,
  { topic, probability }: RelevantTopics,
  { seed }: { seed?: SeedProfile } = {},
): number {
  let granularity = 0
  let expectedContent = 0
  let lca = topic.length === 0 ? 0 : topic[0]
  for (let i = 0; i < topic.length; i++) {
    granularity += granularityOf(probability[i], taxonomy.support[topic[i]] / taxonomy.support[0])
    expectedContent += probability[i] * informationContent(taxonomy, topic[i])
    while (topic[i] >= taxonomy.end[lca]) lca = taxonomy.parent[lca]
  }
  const divisor = seed?.expectedContent ?? expectedContent
  return divisor === 0 ? 0 : (granularity + informationContent(taxonomy, lca)) / (2 * divisor)
}
