import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { TopicCounts } from "../../taxonomy/topic-counts.ts"

/** How often texts of each topic are shown, from the weights of the texts. A text without a topic is at the root. */
export function countTopics(weights: Float64Array, topicOf: Int32Array, { size }: Taxonomy): TopicCounts {
  const shown = new Float64Array(size)
  for (let text = 0; text < weights.length; text++) shown[Math.max(0, topicOf[text])] += weights[text]
  const nodes = [...shown.keys()].filter((node) => shown[node] > 0)
  return { nodes, counts: nodes.map((node) => shown[node]) }
}
