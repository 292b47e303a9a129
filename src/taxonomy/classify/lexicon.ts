import { dictionaryFrom, Interner } from "../../kernels/dictionary.ts"
import { sharedFloats } from "./shared-arrays.ts"
import { indexWords, internText, type WordIndex } from "./word-index.ts"

/** Maximum level of a lexicon's topics: what a log teaches is coarse. */
export const taughtLevel = 3

/**
 * What a log taught about words. Word i is wordArena[wordOffsets[i], wordOffsets[i + 1]). It leads to the topics
 * nodes[offsets[i], offsets[i + 1]), likeliest first, with their shares of the word's evidence. The rest up to 1 is
 * distributed like the evidence of all words, of which topics[i] has shareOfAll[i].
 */
export interface LexiconColumns {
  wordArena: Uint8Array
  wordOffsets: Uint32Array
  offsets: Uint32Array
  nodes: Int32Array
  shares: Float32Array
  topics: Int32Array
  shareOfAll: Float32Array
}

/** A lexicon for look-ups, in shared memory. */
export interface LexiconModel {
  words: WordIndex
  offsets: Uint32Array
  nodes: Int32Array
  shares: Float32Array
  /** For each word: 1 minus the sum of its shares. */
  rest: Float32Array
  /** For each node: its share in the evidence of all words. */
  all: Float32Array
}

/** Opens a lexicon for look-ups. `size`: the number of nodes of the taxonomy. */
export function openLexicon(columns: LexiconColumns, options: { size: number }): LexiconModel {
  const { offsets, nodes, shares } = columns
  const spellings = dictionaryFrom({ arena: columns.wordArena, offsets: columns.wordOffsets })
  const words = new Interner({ expected: spellings.size })
  const rest = new Float32Array(spellings.size)
  for (let word = 0; word < spellings.size; word++) {
    internText(words, spellings.text(word))
    rest[word] = 1
    for (let i = offsets[word]; i < offsets[word + 1]; i++) rest[word] -= shares[i]
  }
  const all = new Float32Array(options.size)
  for (let i = 0; i < columns.topics.length; i++) all[columns.topics[i]] = columns.shareOfAll[i]
  return { words: indexWords(words), offsets, nodes, shares, rest: sharedFloats(rest), all: sharedFloats(all) }
}
