import { type Dictionary, type DictionaryParts, dictionaryFrom, Interner } from "../../kernels/dictionary.ts"
import { cutShard } from "../../text/cut-words.ts"
import { unclassified } from "./classifier.ts"
import { runClassifier } from "./classify-shard.ts"
import type { ClassifierModel } from "./model.ts"
import { ReadingList } from "./reading-list.ts"
import { wordsReader } from "./word-readings.ts"

/** A classifier as data, for another thread. */
export type PortableClassifier =
  | { kind: "phrases"; model: ClassifierModel }
  | { kind: "table"; queries: DictionaryParts; nodes: Int32Array }

/** Classifies queries as they arrive, in the calling thread. */
export type TextClassifier = (queries: Dictionary) => Int32Array

/** Opens a classifier of texts in this thread, from data that another thread handed over. */
export function openTextClassifier(portable: PortableClassifier): TextClassifier {
  return portable.kind === "phrases" ? phraseTexts(portable.model) : tableTexts(portable)
}

function tableTexts({ queries: parts, nodes }: { queries: DictionaryParts; nodes: Int32Array }): TextClassifier {
  const listed = dictionaryFrom(parts)
  return (queries) => {
    const topics = new Int32Array(queries.size)
    for (let query = 0; query < queries.size; query++) {
      const found = listed.findBytes(queries.bytes(query))
      topics[query] = found < 0 ? unclassified : nodes[found]
    }
    return topics
  }
}

/**
 * Maximum number of words whose readings are kept. Beyond it all are dropped, and words that still occur are read
 * again.
 */
const mostWords = 1 << 20

/**
 * Reading a word takes far longer than using it, and most words of a stream occurred before, so their readings are
 * kept.
 */
function phraseTexts(model: ClassifierModel): TextClassifier {
  const words = new Interner({ expected: 1 << 12 })
  const readWords = wordsReader(model)
  let readings = new ReadingList(model)
  let classifyRun = runClassifier(model, readings)
  return (queries) => {
    if (words.size > mostWords) {
      words.clear()
      readings = new ReadingList(model)
      classifyRun = runClassifier(model, readings)
    }
    const cut = cutShard({ queries: queries.parts(), mode: "words", seed: words.seed, from: 0, to: queries.size })
    const known = words.size
    const ids = new Int32Array(cut.hashes.length)
    for (let i = 0; i < ids.length; i++)
      ids[i] = words.intern(cut.arena, cut.offsets[i], cut.offsets[i + 1], cut.hashes[i])
    if (words.size > known) readWords(readings, { words, from: known, to: words.size })
    const offsets = new Uint32Array(queries.size + 1)
    for (let i = 0; i < queries.size; i++) offsets[i + 1] = offsets[i] + cut.lengths[i]
    const tokens = cut.tokens.map((token) => ids[token])
    const topics = new Int32Array(queries.size)
    classifyRun({ offsets, tokens, topics, from: 0, to: queries.size })
    return topics
  }
}
