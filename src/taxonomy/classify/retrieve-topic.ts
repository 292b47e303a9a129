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
  /** True if the word occurs in the index and says something about a topic. */
  const isUsed = (word: number) => isContext(model, word) && offsets[word + 1] > offsets[word]
  /** Logarithm of the product of the topic's shares of the words' occurrences. */
  const scoreOf = (topic: number, words: Int32Array, count: number): number => {
    let score = 0
    for (let i = 0; i < count; i++) {
      const word = words[i]
      if (!isUsed(word)) continue
      const found = countInSubtree(text, word, { from: topic, to: end[topic] })
      score += Math.log((found + epsilon) / (offsets[word + 1] - offsets[word] + epsilon))
    }
    return score
  }
  const candidates = new Set<number>()
  /** Adds the topics whose texts have the word. */
  const addCandidates = (word: number) => {
    if (!isContext(model, word) || offsets[word + 1] - offsets[word] > mostPostings) return
    for (let at = offsets[word]; at < offsets[word + 1]; at++) {
      const topic = topicOf(nodes[at])
      if (topic !== 0) candidates.add(topic)
    }
  }
  return (words: Int32Array, count: number): number => {
    let used = 0
    candidates.clear()
    for (let i = 0; i < count; i++) {
      if (isUsed(words[i])) used++
      addCandidates(words[i])
    }
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    for (const topic of candidates) {
      const score = scoreOf(topic, words, count)
      if (score < bestScore || (score === bestScore && topic > best)) continue
      best = topic
      bestScore = score
    }
    return used > 0 && Math.exp(bestScore / used) >= leastShare ? best : -1
  }
}
