import { firstAtLeast } from "../../kernels/search-sorted.ts"
import { type ClassifierModel, wordKind } from "./model.ts"

/** Half of what a topic's text says of a word comes from its own text, a quarter from its parent's subtree, and so on. */
const decay = 0.5
/** What comes from the text of all topics: no word rules a topic out. */
const smoothing = 0.05
const cacheSize = 1 << 16

/** What the other words of a query say of a sense counts so much beside how common the sense is. */
export const contextWorth = 0.4

/**
 * Makes a function for ln p(w | t) / p(w): how much more often word w stands in the texts in and around topic t than in all.
 * The discriminative naive Bayes of Shou et al. 2014, eq. 17, dnb(d, t) = Σ N_{d,w} ln (N_{t,w} + ε) / (Σ_t' N_{t',w} + ε),
 * with two departures: counts are shares of their subtree's words, else the largest topics win, and p(w | t) mixes the
 * subtrees from the topic up to level 1 (shrinkage of McCallum et al. 1998), since single glosses are short.
 */
export function senseWeigher({ parent, end, text }: ClassifierModel) {
  const { before, offsets, nodes } = text
  const all = before[before.length - 1]
  // What was computed before, by slot: a pure function, so a collision only costs time.
  // Four numbers a slot, the third the result: one line of the processor's cache.
  const kept = new Int32Array(cacheSize * 4).fill(-1)
  const results = new Float32Array(kept.buffer)

  const path = new Int32Array(256)
  const compute = (topic: number, word: number) => {
    let height = 0
    for (let at = topic; at > 0; at = parent[at]) path[height++] = at
    let low = offsets[word]
    let high = offsets[word + 1]
    const share = (high - low) / all
    let mixed = 0
    // From level 1 down: the postings of a subtree lie within those of the subtree around it.
    for (let level = height - 1; level >= 0; level--) {
      const at = path[level]
      low = firstAtLeast(nodes, at, { from: low, to: high })
      high = firstAtLeast(nodes, end[at], { from: low, to: high })
      if (low === high) break
      mixed += ((1 - decay) * decay ** level * (high - low)) / (before[end[at]] - before[at] + 8)
    }
    return Math.log(((1 - smoothing) * mixed) / share + smoothing)
  }

  return (topic: number, word: number): number => {
    if (offsets[word + 1] === offsets[word]) return 0
    const at = ((Math.imul(topic, 0x9e3779b1) ^ Math.imul(word, 0x85ebca77)) >>> 16) * 4
    if (kept[at] === topic && kept[at + 1] === word) return results[at + 2]
    kept[at] = topic
    kept[at + 1] = word
    results[at + 2] = compute(topic, word)
    return results[at + 2]
  }
}

/** Whether a word may tell senses apart. */
export function isContext({ kind }: ClassifierModel, word: number): boolean {
  return word >= 0 && (kind[word] & (wordKind.functionWord | wordKind.little)) === 0
}
