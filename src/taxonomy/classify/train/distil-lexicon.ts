import { packTexts } from "../../assemble-tree.ts"
import type { LexiconColumns } from "../lexicon.ts"
import { sharedBytes, sharedFloats, sharedInt32s, sharedUint32s } from "../shared-arrays.ts"
import { type PairCounts, rowsByWeight } from "./pair-counts.ts"

const mostTopics = 8
const leastShare = 0.04
/** A topic is listed only if its share of the word's evidence is at least this many times its share of all evidence. */
const leastLift = 1.5

/**
 * Lists for each word the topics that stand out and have at least `minTopicUsers` users. Words without such topics are
 * left out.
 */
export function distilLexicon(
  counts: PairCounts,
  options: { texts: readonly string[]; minTopicUsers: number },
): LexiconColumns {
  const { texts, minTopicUsers } = options
  const { offsets, pairs } = rowsByWeight(counts, texts.length)
  const ofAll = new Map<number, number>()
  let sum = 0
  for (let i = 0; i < counts.size; i++) {
    ofAll.set(counts.b[i], (ofAll.get(counts.b[i]) ?? 0) + counts.weight[i])
    sum += counts.weight[i]
  }
  const words: string[] = []
  const rows = [0]
  const nodes: number[] = []
  const shares: number[] = []
  texts.forEach((text, key) => {
    let total = 0
    for (let i = offsets[key]; i < offsets[key + 1]; i++) total += counts.weight[pairs[i]]
    const stop = Math.min(offsets[key + 1], offsets[key] + mostTopics)
    for (let i = offsets[key]; i < stop; i++) {
      const pair = pairs[i]
      const share = counts.weight[pair] / total
      const common = (ofAll.get(counts.b[pair]) ?? 0) / sum
      if (share < Math.max(leastShare, leastLift * common) || counts.users[pair] < minTopicUsers) continue
      nodes.push(counts.b[pair])
      shares.push(share)
    }
    if (nodes.length === rows[rows.length - 1]) return
    words.push(text)
    rows.push(nodes.length)
  })
  const packed = packTexts(words)
  const topics = [...new Set(nodes)].sort((a, b) => a - b)
  return {
    wordArena: sharedBytes(packed.arena),
    wordOffsets: sharedUint32s(packed.offsets),
    offsets: sharedUint32s(rows),
    nodes: sharedInt32s(nodes),
    shares: sharedFloats(shares),
    topics: sharedInt32s(topics),
    shareOfAll: sharedFloats(topics.map((topic) => (ofAll.get(topic) ?? 0) / sum)),
  }
}
