import { dictionaryFrom, Interner } from "../../kernels/dictionary.ts"
import { sharedFloats } from "./shared-arrays.ts"
import { indexWords, internText, type WordIndex } from "./word-index.ts"

/** Topics of a lexicon lie on this level at most: what a log teaches is coarse. */
export const taughtLevel = 3

/**
 * What a log taught about words: word i is wordArena[wordOffsets[i], wordOffsets[i + 1]); the topics that it leads to are
 * nodes[offsets[i], offsets[i + 1]), the likeliest first, with their share of the word's evidence; what is missing to 1 is
 * spread as the evidence of all words is, of which topics[i] has shareOfAll[i].
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

/** A lexicon that can be looked up, on shared memory. */
export interface LexiconModel {
  words: WordIndex
  offsets: Uint32Array
  nodes: Int32Array
  shares: Float32Array
  /** Of each word: what is missing to 1. */
  rest: Float32Array
  /** Of each node: its share in the evidence of all words. */
  all: Float32Array
}

/** `size`: the nodes of the taxonomy. */
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
