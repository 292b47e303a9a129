import { dictionaryFrom, Interner } from "../../kernels/dictionary.ts"
import type { ParsedBlock, ParsedTexts, TextBlock } from "../../log/formats/parsed-block.ts"
import { readBlock } from "../../log/formats/read-block.ts"
import {
  openTextClassifier,
  type PortableClassifier,
  type TextClassifier,
} from "../../taxonomy/classify/text-classifier.ts"
import { type KindSet, noKinds } from "../../text/identifiers/kinds.ts"
import { scanQueries } from "../../text/identifiers/scan-queries.ts"

/** Instead of a topic: the text holds an identifier. */
export const identifying = -2

/** What a thread must know before it prepares blocks. */
export interface PrepareSetup {
  kinds: KindSet
  /** Undefined: topics are found elsewhere; those of texts without an identifier are -1. */
  classifier: PortableClassifier | undefined
}

/** The rows of a block, with the topic of each of its queries: a node, -1 for none, or `identifying`. */
export interface PreparedBlock extends ParsedBlock {
  topic: Int32Array
}

export type Preparer = (block: TextBlock) => PreparedBlock

/** Texts whose topics are kept, at least; at most twice as many. */
const remembered = 1 << 19

/**
 * Makes the function that reads blocks and finds the topics of their queries. Queries that came up lately keep their topics:
 * when the young half is full it becomes the old one, and what is used of that moves over.
 */
export function openPreparer({ kinds, classifier }: PrepareSetup): Preparer {
  const classify: TextClassifier =
    classifier === undefined ? (queries) => new Int32Array(queries.size).fill(-1) : openTextClassifier(classifier)
  let young = new TopicMemory()
  let old = new TopicMemory()

  const topicsOf = (texts: ParsedTexts): Int32Array => {
    const topics = new Int32Array(texts.hashes.length)
    const unknown: number[] = []
    if (young.texts.size > remembered) {
      old = young
      young = new TopicMemory()
    }
    for (let query = 0; query < topics.length; query++) {
      const start = texts.offsets[query]
      const end = texts.offsets[query + 1]
      const hash = texts.hashes[query]
      const known = young.texts.find(texts.arena, start, end, hash)
      if (known >= 0) {
        topics[query] = young.topic[known]
        continue
      }
      const before = old.texts.find(texts.arena, start, end, hash)
      if (before < 0) unknown.push(query)
      else {
        topics[query] = old.topic[before]
        young.keep(texts, query, topics[query])
      }
    }
    if (unknown.length === 0) return topics
    const fresh = dictionaryFrom(selectTexts(texts, unknown))
    const found = classify(fresh)
    const identifiers = kinds === noKinds ? undefined : scanQueries(fresh, kinds)
    unknown.forEach((query, i) => {
      topics[query] = identifiers !== undefined && identifiers[i] !== noKinds ? identifying : found[i]
      young.keep(texts, query, topics[query])
    })
    return topics
  }

  return (block) => {
    const parsed = readBlock(block)
    return { ...parsed, topic: topicsOf(parsed.queries) }
  }
}

class TopicMemory {
  readonly texts = new Interner({ expected: 1 << 12 })
  topic = new Int32Array(1 << 12)

  keep({ arena, offsets, hashes }: ParsedTexts, query: number, topic: number): void {
    const id = this.texts.intern(arena, offsets[query], offsets[query + 1], hashes[query])
    if (id >= this.topic.length) {
      const larger = new Int32Array(id * 2)
      larger.set(this.topic)
      this.topic = larger
    }
    this.topic[id] = topic
  }
}

/** Some of the texts, one behind the other. */
export function selectTexts({ arena, offsets }: ParsedTexts, chosen: readonly number[]) {
  const ends = new Uint32Array(chosen.length + 1)
  chosen.forEach((text, i) => {
    ends[i + 1] = ends[i] + offsets[text + 1] - offsets[text]
  })
  const bytes = new Uint8Array(ends[chosen.length])
  chosen.forEach((text, i) => {
    bytes.set(arena.subarray(offsets[text], offsets[text + 1]), ends[i])
  })
  return { arena: bytes, offsets: ends }
}
