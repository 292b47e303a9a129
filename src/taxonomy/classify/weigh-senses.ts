import { firstAtLeast } from "../../kernels/search-sorted.ts"
import { type ClassifierModel, wordKind } from "./model.ts"
import { subtreeField } from "./topic-text.ts"

/** Half of what a topic's text says of a word comes from its own text, a quarter from its parent's subtree, and so on. */
const decay = 0.5
/** What comes from the text of all topics: no word rules a topic out. */
const smoothing = 0.05
const cacheSize = 1 << 16
const deepest = 256
/** By how far up a subtree is. */
const weights = Float64Array.from({ length: deepest }, (_, level) => (1 - decay) * decay ** level)
/** Of a word that stands nowhere around a topic. */
const unseen = Math.fround(Math.log(smoothing))

/** What the other words of a query say of a sense counts so much beside how common the sense is. */
export const contextWorth = 0.4

/** ln p(w | t) / p(w) of a topic and a word, as a 32-bit float. */
type SenseWeigher = (topic: number, word: number) => number

/**
 * Makes a function for ln p(w | t) / p(w): how much more often word w stands in the texts in and around topic t than in all.
 * The discriminative naive Bayes of Shou et al. 2014, eq. 17, dnb(d, t) = Σ N_{d,w} ln (N_{t,w} + ε) / (Σ_t' N_{t',w} + ε),
 * with two departures: counts are shares of their subtree's words, else the largest topics win, and p(w | t) mixes the
 * subtrees from the topic up to level 1 (shrinkage of McCallum et al. 1998), since single glosses are short.
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
    // From the topic up to level 1: the postings of a subtree lie around those of the subtree within it, and mostly there are none.
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

/** The same for callers that ask for few pairs again and again. */
export function rememberWeights(weigh: SenseWeigher): SenseWeigher {
  // By slot: a pure function, so a collision only costs time. Four numbers a slot, the third the result: one line of the
  // processor's cache.
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

/** Whether a word may tell senses apart. */
export function isContext({ kind }: ClassifierModel, word: number): boolean {
  return word >= 0 && (kind[word] & (wordKind.functionWord | wordKind.little)) === 0
}
