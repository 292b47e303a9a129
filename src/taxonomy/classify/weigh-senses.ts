import { firstAtLeast } from "../../kernels/search-sorted.ts"
import { type ClassifierModel, wordKind } from "./model.ts"
import { subtreeField } from "./topic-text.ts"

/** Weights of the texts around a topic: 1/2 for its own subtree, 1/4 for its parent's subtree, and so on. */
const decay = 0.5
/** Weight of the texts of all topics. It ensures that no word rules a topic out. */
const smoothing = 0.05
const cacheSize = 1 << 16
const deepest = 256
/** Weights by the number of levels above the topic. */
const weights = Float64Array.from({ length: deepest }, (_, level) => (1 - decay) * decay ** level)
/** Weight of a word that does not occur around a topic. */
const unseen = Math.fround(Math.log(smoothing))

/** Weight of what a query's other words say of a sense, relative to how common the sense is. */
export const contextWorth = 0.4

/** ln p(w | t) / p(w) of a topic and a word, as a 32-bit float. */
type SenseWeigher = (topic: number, word: number) => number

/**
 * Makes a function for ln p(w | t) / p(w): how much more often word w occurs in the texts in and around topic t than in
 * all texts. It is the discriminative naive Bayes of Shou et al. 2014, eq. 17,
 * dnb(d, t) = Σ N_{d,w} ln (N_{t,w} + ε) / (Σ_t' N_{t',w} + ε), with two deviations. Counts are shares of their
 * subtree's words, because otherwise the largest topics win. And p(w | t) mixes the subtrees from the topic up to
 * level 1 (shrinkage of McCallum et al. 1998), because single glosses are short.
 */
export function senseWeigher({ text }: Pick<ClassifierModel, "text">): SenseWeigher {
  const { offsets, nodes, subtrees, branches } = text
  const all = nodes.length
  const counts = new Int32Array(deepest)
  const sizes = new Int32Array(deepest)
  return (topic, word) => {
    const from = offsets[word]
    const to = offsets[word + 1]
    if (from === to) return 0
    if ((branches[word] & subtrees[topic * 4 + subtreeField.branch]) === 0) return unseen
    let low = firstAtLeast(nodes, topic, { from, to })
    let high = low
    let height = 0
    // From the topic up to level 1. The postings of a subtree surround those of the subtree within it. Mostly there are
    // no others.
    for (let at = topic; at > 0; at = subtrees[at * 4 + subtreeField.parent]) {
      const stop = subtrees[at * 4 + subtreeField.end]
      if (low > from && nodes[low - 1] >= at) low = firstAtLeast(nodes, at, { from, to: low })
      if (high < to && nodes[high] < stop) high = firstAtLeast(nodes, stop, { from: high, to })
      counts[height] = high - low
      sizes[height++] = subtrees[at * 4 + subtreeField.words] + 8
    }
    if (low === high) return unseen
    let mixed = 0
    for (let level = height - 1; level >= 0 && counts[level] > 0; level--)
      mixed += (weights[level] * counts[level]) / sizes[level]
    return Math.fround(Math.log(((1 - smoothing) * mixed) / ((to - from) / all) + smoothing))
  }
}

/** The same with a cache, for callers that ask for few pairs again and again. */
export function rememberWeights(weigh: SenseWeigher): SenseWeigher {
  // The cache is indexed by slot. The function is pure, so a collision only costs time. Each slot has four numbers in
  // one cache line; the third is the result.
  const kept = new Int32Array(cacheSize * 4).fill(-1)
  const results = new Float32Array(kept.buffer)
  return (topic, word) => {
    const at = ((Math.imul(topic, 0x9e3779b1) ^ Math.imul(word, 0x85ebca77)) >>> 16) * 4
    if (kept[at] !== topic || kept[at + 1] !== word) {
      kept[at] = topic
      kept[at + 1] = word
      results[at + 2] = weigh(topic, word)
    }
    return results[at + 2]
  }
}

/** True if a word may distinguish senses. */
export function isContext({ kind }: ClassifierModel, word: number): boolean {
  return word >= 0 && (kind[word] & (wordKind.functionWord | wordKind.uninformative)) === 0
}
