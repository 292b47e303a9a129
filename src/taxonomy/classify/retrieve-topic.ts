import type { ClassifierModel } from "./model.ts"
import { countInSubtree } from "./topic-text.ts"
import { isContext } from "./weigh-senses.ts"

const level = 2
const epsilon = 0.1
/** A word that occurs in more texts than this retrieves nothing by itself. */
const mostPostings = 400
/** Minimum geometric mean share of the words' occurrences that a topic must have. */
const leastShare = 0.2

/**
 * Makes a function for queries that name no topic. Of the topics of level 2 that the query's words retrieve from the
 * index of texts, it returns the one with the largest dnb (Shou et al. 2014, eq. 18), or -1 if none has enough of the
 * words.
 */
export function topicRetriever(model: ClassifierModel) {
  const { parent, end, depth, text } = model
  const { offsets, nodes } = text
  const topicOf = (node: number) => {
    let at = node
    while (depth[at] > level) at = parent[at]
    return at
  }
  const seen = new Set<number>()
  return (words: Int32Array, count: number): number => {
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    let used = 0
    seen.clear()
    for (let i = 0; i < count; i++) if (isContext(model, words[i]) && offsets[words[i] + 1] > offsets[words[i]]) used++
    for (let i = 0; i < count; i++) {
      const word = words[i]
      if (!isContext(model, word) || offsets[word + 1] - offsets[word] > mostPostings) continue
      for (let at = offsets[word]; at < offsets[word + 1]; at++) {
        const topic = topicOf(nodes[at])
        if (topic === 0 || seen.has(topic)) continue
        seen.add(topic)
        let score = 0
        for (let j = 0; j < count; j++) {
          if (!isContext(model, words[j]) || offsets[words[j] + 1] === offsets[words[j]]) continue
          const found = countInSubtree(text, words[j], { from: topic, to: end[topic] })
          score += Math.log((found + epsilon) / (offsets[words[j] + 1] - offsets[words[j]] + epsilon))
        }
        if (score > bestScore || (score === bestScore && topic < best)) {
          best = topic
          bestScore = score
        }
      }
    }
    return used > 0 && Math.exp(bestScore / used) >= leastShare ? best : -1
  }
}
