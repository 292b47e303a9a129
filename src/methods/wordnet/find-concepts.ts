import { type DictionaryParts, hashBytes, Interner } from "../../kernels/dictionary.ts"
import { englishFunctionWords, parseFunctionWords } from "../../text/function-words.ts"
import { createNounReader, type KnownWord, type NounSpan } from "../../wordnet/find-nouns.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import type { ChosenConcepts } from "./choose-concepts.ts"

/** Splits bytes[from, to) into words. */
type SplitWords = (bytes: Uint8Array, from: number, to: number) => KnownWord[]

/** Finds the concepts of the queries of a range. */
export type ConceptFinder = (queries: DictionaryParts, range: { from: number; to: number }) => ChosenConcepts

/** Makes a finder. It keeps what it learns about words, so make one for many queries. */
export function createConceptFinder(wordnet: WordNet, match: "content" | "all"): ConceptFinder {
  const functionWords = match === "all" ? new Set<string>() : parseFunctionWords(englishFunctionWords)
  const { know, find } = createNounReader(wordnet, { skip: (word) => functionWords.has(word) })
  const splitWords = createSplitter(know)
  return ({ arena, offsets }, { from, to }) => {
    const concept = new Int32Array(to - from)
    const words = new Uint16Array(to - from)
    const matched = new Uint16Array(to - from)
    const ends = new Uint32Array(to - from + 1)
    const synsets: number[] = []
    for (let i = 0; i < concept.length; i++) {
      const split = splitWords(arena, offsets[from + i], offsets[from + i + 1])
      let chosen: NounSpan | undefined
      let inNouns = 0
      for (const span of find(split)) {
        inNouns += span.length
        if (match === "all") synsets.push(wordnet.synsetsOf(span.lemma)[0])
        if (span.length >= (chosen?.length ?? 0)) chosen = span
      }
      concept[i] = chosen === undefined ? -1 : wordnet.synsetsOf(chosen.lemma)[0]
      words[i] = Math.min(split.length, 0xffff)
      matched[i] = Math.min(inNouns, 0xffff)
      ends[i + 1] = synsets.length
    }
    const terms = { offsets: ends, synsets: Int32Array.from(synsets) }
    return { concept, words, matched, ...(match === "all" && { terms }) }
  }
}

const space = 32
/** How many words are cached. */
const remembered = 1 << 18

/** Splits at spaces. Only a word that is not in the cache becomes a string. */
function createSplitter(know: (word: string) => KnownWord): SplitWords {
  const seen = new Interner({ expected: remembered })
  const known: KnownWord[] = []
  return (bytes, from, to) => {
    const words: KnownWord[] = []
    for (let start = from, end = from; end <= to; end++) {
      if (end < to && bytes[end] !== space) continue
      if (known.length === remembered) {
        seen.clear()
        known.length = 0
      }
      const id = seen.intern(bytes, start, end, hashBytes(bytes, start, end, seen.seed))
      if (id === known.length)
        known.push(know(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8")))
      words.push(known[id])
      start = end + 1
    }
    return words
  }
}
