import type { Taxonomy } from "../taxonomy.ts"
import { isWordNet } from "./topic-phrases.ts"

/**
 * How much more often searches mean a topic of this kind than WordNet's counts say, as natural logarithms. Those counts
 * come from literature; people search more for things, food and writings than for ideas. The values were set by hand
 * from the first half of the labelled queries. Kinds that are not listed are as common as in WordNet.
 */
const searched: Record<string, number> = {
  artifact: 0.6,
  food: 1,
  communication: 0.3,
  possession: 0.3,
  person: -0.3,
  plant: -0.3,
  cognition: -0.6,
  attribute: -0.8,
  quantity: -0.5,
  relation: -1,
  shape: -0.5,
  motive: -1,
}

/** For each node: what is added to the logarithm of its weight as a sense. */
export function searchedTopics(taxonomy: Taxonomy): Float32Array {
  const gain = new Float32Array(taxonomy.size)
  if (!isWordNet(taxonomy)) return gain
  for (const [path, value] of Object.entries(searched)) {
    const topic = taxonomy.find(path)
    if (topic > 0) gain.fill(value, topic, taxonomy.end[topic])
  }
  return gain
}
