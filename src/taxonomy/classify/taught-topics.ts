import { taughtLevel } from "./lexicon.ts"
import type { ClassifierModel } from "./model.ts"

/** Share of all words' evidence that is mixed into a word's own evidence. It limits the trust in one word. */
const smoothing = 0.1
const mostTopics = 64

export interface TaughtTopics {
  /** Weighs the topics for a query with these words of the lexicon. Returns false if none says anything. */
  weigh(words: Int32Array, count: number): boolean
  /** ln p(topic | words) / p(topic), up to a constant, of the topic that contains a node. */
  score(node: number): number
  /** The topics that the query's words lead to. */
  readonly topics: Int32Array
  readonly count: () => number
}

/**
 * Makes a naive Bayes classifier over the topics of a lexicon: Σ_w ln ((s + (r + μ) p) / ((1 + μ) p)), where s is the
 * topic's share of word w, r is the part of the word's evidence for no topic in particular, and p is the topic's share
 * of all evidence.
 */
export function taughtTopics({ lexicon, parent, depth }: ClassifierModel): TaughtTopics {
  const topics = new Int32Array(mostTopics)
  const scores = new Float64Array(mostTopics)
  let held = 0
  let elsewhere = 0
  const topicOf = (node: number) => {
    let at = node
    while (depth[at] > taughtLevel) at = parent[at]
    return at
  }
  const find = (topic: number) => {
    for (let i = 0; i < held; i++) if (topics[i] === topic) return i
    return -1
  }
  return {
    topics,
    count: () => held,
    weigh(words, count) {
      held = 0
      elsewhere = 0
      if (lexicon === undefined || count === 0) return false
      const { offsets, nodes, shares, rest, all } = lexicon
      for (let w = 0; w < count; w++)
        for (let i = offsets[words[w]]; i < offsets[words[w] + 1] && held < mostTopics; i++)
          if (find(nodes[i]) < 0) topics[held++] = nodes[i]
      scores.fill(0, 0, held)
      for (let w = 0; w < count; w++) {
        const floor = Math.log((rest[words[w]] + smoothing) / (1 + smoothing))
        elsewhere += floor
        for (let t = 0; t < held; t++) scores[t] += floor
        for (let i = offsets[words[w]]; i < offsets[words[w] + 1]; i++) {
          const at = find(nodes[i])
          if (at < 0) continue
          const p = Math.max(all[nodes[i]], 1e-6)
          scores[at] += Math.log((shares[i] + (rest[words[w]] + smoothing) * p) / ((1 + smoothing) * p)) - floor
        }
      }
      return held > 0
    },
    score(node) {
      const at = find(topicOf(node))
      return at < 0 ? elsewhere : scores[at]
    },
  }
}
