import type { RunContext } from "../kernels/context.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import type { TopicCounts } from "../taxonomy/topic-counts.ts"
import type { TablesRelease } from "./read-release.ts"

/** A profile as a reader gets it: shares by topic, and the stated number of users. */
export interface ShownProfile extends TopicCounts {
  users: number
}

/** The profiles of a release, by name. A topic that is not in the taxonomy is placed at the root. */
export async function readShownProfiles(
  release: TablesRelease,
  taxonomy: Taxonomy,
  context: RunContext,
): Promise<Map<string, ShownProfile>> {
  const { profiles: table } = await release.tables(context)
  const found = new Map<string, ShownProfile>()
  const [profile, users, topic, share] = table?.columns ?? []
  if (table === undefined || !("ids" in profile && "values" in users && "ids" in topic && "values" in share))
    return found
  for (let row = 0; row < table.rows; row++) {
    const name = profile.texts.text(profile.ids[row])
    const shown = found.get(name) ?? { nodes: [], counts: [], users: users.values[row] }
    shown.nodes.push(Math.max(0, taxonomy.find(topic.texts.text(topic.ids[row]))))
    shown.counts.push(share.values[row])
    found.set(name, shown)
  }
  return found
}

/** What people searched for according to all profiles together. Each profile is weighted by its number of users. */
export async function shownTopics(
  release: TablesRelease,
  taxonomy: Taxonomy,
  context: RunContext,
): Promise<TopicCounts> {
  const all: TopicCounts = { nodes: [], counts: [] }
  for (const { nodes, counts, users } of (await readShownProfiles(release, taxonomy, context)).values()) {
    const whole = counts.reduce((sum, count) => sum + count, 0)
    all.nodes.push(...nodes)
    all.counts.push(...counts.map((count) => (users * count) / whole))
  }
  return all
}

/** The mean of profiles with equal weights. */
export function meanProfile(profiles: readonly TopicCounts[]): TopicCounts {
  const mass = new Map<number, number>()
  for (const { nodes, counts } of profiles) {
    const whole = counts.reduce((sum, count) => sum + count, 0)
    nodes.forEach((node, i) => {
      mass.set(node, (mass.get(node) ?? 0) + counts[i] / whole)
    })
  }
  return { nodes: [...mass.keys()], counts: [...mass.values()] }
}
