import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { UserTopics } from "./topic-counts.ts"

/** A topic of a profile, and its share in percent. */
export interface ShownTopic {
  node: number
  share: number
}

/**
 * The single profile of a group: the mean of its members' shares. Every member has the same weight, however much they
 * searched. From the leaves up, a topic of fewer than k members, or of less than half a step, is added to its parent.
 * What reaches the root is left out. Shares are relative to what is shown, rounded to multiples of `step` percent. The
 * result is empty if nothing can be shown.
 */
export function showGroup(
  members: readonly number[],
  topics: UserTopics,
  { taxonomy, k, step }: { taxonomy: Taxonomy; k: number; step: number },
): ShownTopic[] {
  const { mass, users } = gatherGroup(members, topics)
  const pending = new Set(mass.keys())
  for (const node of mass.keys())
    for (let above = taxonomy.parent[node]; above > 0 && !pending.has(above); above = taxonomy.parent[above])
      pending.add(above)
  const kept: { node: number; mass: number }[] = []
  for (const node of [...pending].sort((a, b) => b - a)) {
    const [own, who] = [mass.get(node) ?? 0, users.get(node)]
    if (node === 0 || who === undefined) continue
    if (who.size >= k && own * 100 >= step / 2) {
      kept.push({ node, mass: own })
      continue
    }
    const above = taxonomy.parent[node]
    mass.set(above, (mass.get(above) ?? 0) + own)
    const joined = users.get(above) ?? new Set()
    for (const user of who) joined.add(user)
    users.set(above, joined)
  }
  const whole = kept.reduce((sum, topic) => sum + topic.mass, 0)
  return kept
    .map(({ node, mass: own }) => ({ node, share: Math.max(1, Math.round((own / whole) * (100 / step))) * step }))
    .reverse()
}

/** By topic: its mean share, and the members who have it. */
function gatherGroup(members: readonly number[], { offsets, nodes, counts }: UserTopics) {
  const mass = new Map<number, number>()
  const users = new Map<number, Set<number>>()
  for (const user of members) {
    let total = 0
    for (let i = offsets[user]; i < offsets[user + 1]; i++) total += counts[i]
    for (let i = offsets[user]; i < offsets[user + 1]; i++) {
      const node = nodes[i]
      mass.set(node, (mass.get(node) ?? 0) + counts[i] / total / members.length)
      const who = users.get(node) ?? new Set<number>()
      users.set(node, who.add(user))
    }
  }
  return { mass, users }
}
