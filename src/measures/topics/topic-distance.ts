import type { RunContext } from "../../kernels/context.ts"
import { tableOf } from "../../kernels/table.ts"
import { treeDistance } from "../../kernels/tree-distance.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { ReleaseProbe } from "../../probes/probe.ts"
import type { Release } from "../../release/read-release.ts"
import { shownTopics } from "../../release/shown-profiles.ts"
import { cutAt, type TopicCounts } from "../../taxonomy/topic-counts.ts"
import { queriesOfRows, shownQueries } from "../shown/shown-texts.ts"
import { type Classified, classifyLog, classifyShown, topicOptions } from "./classify-log.ts"
import { countTopics } from "./topic-counts.ts"

/**
 * How far the topics of the release are from what people searched for: the earth mover's distance between the topics of
 * the log's rows and those of the release's rows or counts, in edges of the tree. The distance with topics truncated at
 * each depth is given next to it. Both sides are normalised to shares, so that counts of users can be compared with
 * rows. An empty release has no topics, and no distance.
 */
export const topicDistance: ReleaseProbe<typeof topicOptions> = {
  name: "topic-distance",
  looksAt: "any",
  looksAtProfiles: true,
  summary: "distance between the topics of the log and of the release, in edges of the tree of topics",
  options: topicOptions,
  applies: () => true,
  async run({ release, log }, values, context) {
    const classified = await classifyLog(log, values, context)
    const { taxonomy, topics } = classified
    const shown =
      release.kind === "tables" && traitsOf(release.manifest.guarantee).shows === "profiles"
        ? await shownTopics(release, taxonomy, context)
        : await topicsOfTexts({ release, log, classified }, context)
    const n = shown.counts.reduce((sum, count) => sum + count, 0)
    if (n === 0) return [] // an empty release has no distance
    const original = countTopics(queriesOfRows(log).weights, topics, taxonomy)
    const distance = treeDistance(taxonomy.parent)
    const at = (level: number) => distance(cutAt(taxonomy, original, level), cutAt(taxonomy, shown, level))
    const deepest = taxonomy.depth.reduce((most, depth) => Math.max(most, depth), 0)
    const levels = Array.from({ length: deepest }, (_, i) => i + 1)
    const series = tableOf(
      ["depth", "edges"],
      levels.map((level) => [level, at(level)]),
    )
    return [{ score: "topic-distance", value: at(deepest), n, baseline: 0, better: "lower", series }]
  },
}

async function topicsOfTexts(
  { release, log, classified }: { release: Release; log: SearchLog; classified: Classified },
  context: RunContext,
): Promise<TopicCounts> {
  const { texts, weights } = await shownQueries(release, context)
  const topics = await classifyShown(release, { texts, log, classified }, context)
  return countTopics(weights, topics, classified.taxonomy)
}
