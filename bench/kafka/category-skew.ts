import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { cutBySettings } from "#dist/stream/live/settings.js"
import { balanceCategories } from "#dist/stream/workers/partition-table.js"
import { openLogTopics } from "#dist/taxonomy/classify/log-topics.js"
import { type Finding, timed } from "../case.ts"
import { logPath } from "../data.ts"
import { fileRows } from "./kafka-setting.ts"

const depths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const partitionCounts = [12, 100, 400]

/**
 * How unequal categories are: the share of the largest in the searches of the synthetic log, by depth, and how full the
 * fullest partition is, compared with an equal share. For comparison, the largest of as many categories under Zipf's
 * law (exponent 1).
 */
export async function measureSkew(): Promise<Finding> {
  const context = createContext({})
  const { seconds, value } = await timed(async () => {
    const { log } = await readLog(logPath(fileRows), {}, context)
    const { taxonomy, topicOf } = await openLogTopics(log, { taxonomy: "wordnet" }, context)
    const byTopic = new Float64Array(taxonomy.size)
    for (const query of log.query) {
      const topic = topicOf[query] ?? -1
      if (topic >= 0) byTopic[topic] = (byTopic[topic] ?? 0) + 1
    }
    return { byTopic, taxonomy }
  })
  const { byTopic, taxonomy } = value
  const lines = depths.map((depth) => {
    const weights = new Map<number, number>()
    for (const [topic, category] of cutBySettings(taxonomy, { depth, sensitive: [], branches: undefined }).entries()) {
      const more = byTopic[topic] ?? 0
      if (more > 0) weights.set(category, (weights.get(category) ?? 0) + more)
    }
    return [`depth ${depth}`, describe([...weights].map(([category, weight]) => ({ category, weight })))]
  })
  return { count: fileRows, seconds, ...Object.fromEntries(lines) }
}

function describe(categories: { category: number; weight: number }[]): string {
  const total = categories.reduce((sum, { weight }) => sum + weight, 0)
  const largest = Math.max(...categories.map(({ weight }) => weight)) / total
  const harmonic = categories.reduce((sum, _, i) => sum + 1 / (i + 1), 0)
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  const fullest = partitionCounts.map((partitions) => {
    const load = new Float64Array(partitions)
    for (const [i, partition] of balanceCategories(categories, partitions).entries())
      load[partition] = (load[partition] ?? 0) + (categories[i]?.weight ?? 0)
    return `${((Math.max(...load) / total) * partitions).toFixed(2)} of ${partitions}`
  })
  return [
    `${categories.length} categories, largest ${percent(largest)} (Zipf ${percent(1 / harmonic)}),`,
    `fullest partition ${fullest.join(", ")}`,
  ].join(" ")
}
