import { dictionaryFrom, hashBytes } from "../../kernels/dictionary.ts"
import type { ParsedBlock, ParsedTexts, TextBlock } from "../../log/formats/parsed-block.ts"
import { readBlock } from "../../log/formats/read-block.ts"
import {
  openTextClassifier,
  type PortableClassifier,
  type TextClassifier,
} from "../../taxonomy/classify/text-classifier.ts"
import { type KindSet, noKinds } from "../../text/identifiers/kinds.ts"
import { scanQueries } from "../../text/identifiers/scan-queries.ts"
import { forgotten, TopicMemory } from "./topic-memory.ts"

/** Values in place of a topic: the text has an identifier; the log gives a category that the taxonomy does not have. */
export const identifying = -2
export const unknownCategory = -3

/** What a thread needs before it prepares blocks. */
export interface PrepareSetup {
  kinds: KindSet
  /** Undefined: topics are found elsewhere, and texts without an identifier get -1. */
  classifier: PortableClassifier | undefined
  /** True if categories in the log are used as the topics of its searches. */
  ownTopics: boolean
  /** The memory of `makeTopicMemory`, shared by all threads. */
  memory: Int32Array
}

/** Texts with a second hash, under a second seed. */
interface DoublyHashedTexts extends ParsedTexts {
  low: Uint32Array
}

/** The rows of a block, with the topic of each of its queries: a node, -1 for none, or `identifying`. */
export interface PreparedBlock extends ParsedBlock {
  users: DoublyHashedTexts
  queries: DoublyHashedTexts
  topic: Int32Array
  /**
   * By category of the block: a node, -1 for none, or `unknownCategory`. If present, `topic` only marks the texts that
   * are `identifying`.
   */
  categoryTopic?: Int32Array
}

/** A block to read, and the second seed. */
export interface LiveBlock extends TextBlock {
  low: number
}

export type Preparer = (block: LiveBlock) => PreparedBlock

/** Makes the function that reads blocks and finds the topics of their queries. Recent queries keep their topics. */
export function openPreparer({ kinds, classifier, ownTopics, memory }: PrepareSetup): Preparer {
  const classify: TextClassifier =
    classifier === undefined ? (queries) => new Int32Array(queries.size).fill(-1) : openTextClassifier(classifier)
  const remembered = new TopicMemory(memory)

  const topicsOf = (texts: DoublyHashedTexts): Int32Array => {
    const { offsets, hashes, low } = texts
    const topics = new Int32Array(hashes.length)
    const unknown = new Int32Array(hashes.length)
    let missing = 0
    for (let query = 0; query < topics.length; query++) {
      topics[query] = remembered.find(hashes[query], low[query], offsets[query + 1] - offsets[query])
      if (topics[query] === forgotten) unknown[missing++] = query
    }
    if (missing === 0) return topics
    const fresh = dictionaryFrom(selectTexts(texts, unknown.subarray(0, missing)))
    const found = classify(fresh)
    const identifiers = kinds === noKinds ? undefined : scanQueries(fresh, kinds)
    for (let i = 0; i < missing; i++) {
      const query = unknown[i]
      topics[query] = identifiers !== undefined && identifiers[i] !== noKinds ? identifying : found[i]
      remembered.keep(hashes[query], low[query], offsets[query + 1] - offsets[query], topics[query])
    }
    return topics
  }

  /** Marks the texts that have an identifier. The log gives the topics of the others. */
  const identify = (texts: ParsedTexts): Int32Array => {
    const topics = new Int32Array(texts.hashes.length).fill(-1)
    const found = kinds === noKinds ? undefined : scanQueries(dictionaryFrom(texts), kinds)
    return found === undefined ? topics : topics.map((_, i) => (found[i] === noKinds ? -1 : identifying))
  }

  return (block) => {
    const { categories, ...parsed } = readBlock(block)
    const users = hashAgain(parsed.users, block.low)
    const queries = hashAgain(parsed.queries, block.low)
    const isGiven = ownTopics && categories !== undefined
    const topic = isGiven ? identify(queries) : topicsOf(queries)
    return { ...parsed, users, queries, topic, ...(isGiven && { categories }) }
  }
}

function hashAgain(texts: ParsedTexts, seed: number): DoublyHashedTexts {
  const { arena, offsets, hashes } = texts
  const low = new Uint32Array(hashes.length)
  for (let i = 0; i < low.length; i++) low[i] = hashBytes(arena, offsets[i], offsets[i + 1], seed)
  return { ...texts, low }
}

/** Copies the chosen texts, one after another. */
export function selectTexts({ arena, offsets }: ParsedTexts, chosen: Int32Array) {
  const ends = new Uint32Array(chosen.length + 1)
  for (let i = 0; i < chosen.length; i++) ends[i + 1] = ends[i] + offsets[chosen[i] + 1] - offsets[chosen[i]]
  const bytes = new Uint8Array(ends[chosen.length])
  for (let i = 0; i < chosen.length; i++) {
    const shift = offsets[chosen[i]] - ends[i]
    for (let at = ends[i]; at < ends[i + 1]; at++) bytes[at] = arena[at + shift]
  }
  return { arena: bytes, offsets: ends }
}
