import { tableOf } from "../../kernels/table.ts"
import { meanSwapDistances } from "../../kernels/tree-distance.ts"
import type { Probe } from "../../probes/probe.ts"
import { queriesOfRows } from "../shown/shown-texts.ts"
import { classifyLog, topicOptions } from "./classify-log.ts"
import { countTopics } from "./topic-counts.ts"

/**
 * What swapping users among searches of one topic of depth ℓ loses, for each ℓ: the mean distance between a search and
 * the one whose place it takes, as a share of the path lengths of two searches to the root. Pàmies-Estrems et al. 2020,
 * Fig. 10. It depends on the log alone.
 */
export const topicLoss: Probe<typeof topicOptions> = {
  name: "topic-loss",
  summary: "what swapping users within topics would lose, by depth of the topics",
  options: topicOptions,
  applies: () => true,
  async run({ log }, values, context) {
    const { taxonomy, topics } = await classifyLog(log, values, context)
    const { nodes, counts } = countTopics(queriesOfRows(log).weights, topics, taxonomy)
    const byNode = new Float64Array(taxonomy.size)
    let items = 0
    let way = 0
    nodes.forEach((node, i) => {
      byNode[node] = counts[i]
      items += counts[i]
      way += counts[i] * taxonomy.depth[node]
    })
    if (way === 0) return [] // everything is at the root, so no distance can be lost
    const longest = (2 * way) / items
    const losses = meanSwapDistances(taxonomy, byNode).map((edges, depth) => [depth, edges, edges / longest])
    const series = tableOf(["depth", "edges", "share"], losses)
    return [
      {
        score: "topic-loss",
        at: { depth: 1 },
        value: losses[1]?.[2] ?? 0,
        n: items,
        baseline: 0,
        better: "lower",
        series,
      },
    ]
  },
}
