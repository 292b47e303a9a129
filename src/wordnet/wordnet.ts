import { type Dictionary, dictionaryFrom } from "../kernels/dictionary.ts"
import { searchSorted } from "../kernels/search-sorted.ts"
import type { WordNetColumns } from "./columns.ts"
import { type LexicographerFile, lexicographerFiles } from "./lexicographer-files.ts"
import { type PartOfSpeech, partOfSpeechBit } from "./part-of-speech.ts"

/**
 * The nouns of WordNet 3.1, and the lemmas of its other parts of speech. A synset is a number in [0, synsets), in the
 * order of the database. A lemma is an id of `lemmas`. The returned arrays are views of the columns: do not write to
 * them.
 */
export interface WordNet {
  readonly synsets: number
  /** Every lemma, in lower case, with spaces between words. Nouns come first, with ids [0, nouns), then the others. */
  readonly lemmas: Dictionary
  readonly nouns: number
  /**
   * For loops that cannot afford a call per row, and for other threads, where `wordNetFrom` restores the same object.
   */
  readonly columns: WordNetColumns

  /** The noun synsets of a lemma, most frequent sense first. */
  synsetsOf(lemma: number): Int32Array
  /** How often each of `synsetsOf(lemma)` was tagged in Princeton's concordances. Most senses never were. */
  senseTagsOf(lemma: number): Uint16Array
  /** How often the lemma was tagged, as any part of speech. */
  tags(lemma: number): number
  /** True if a lemma is a word of this part of speech. */
  isLemma(lemma: number, partOfSpeech: PartOfSpeech): boolean
  /**
   * The id of a lemma with this part of speech, or -1. The text must match exactly; `lemmatise` also finds other forms.
   */
  find(text: string, partOfSpeech: PartOfSpeech): number

  /** The lemmas of a synset, without repetition. The first names it. */
  lemmasOf(synset: number): Int32Array
  /** The first lemma of a synset. */
  name(synset: number): string
  /** Definition and examples, as in the database. */
  gloss(synset: number): string
  /** What the synset is a kind of or an instance of, in the order of the database. */
  hypernymsOf(synset: number): Int32Array
  /** The first hypernym, or -1 for the only root, `entity`. */
  parent(synset: number): number
  /** True if the synset is an individual, such as a city or a person: it is an instance of one of its hypernyms. */
  isInstance(synset: number): boolean
  /** The lexicographer file of a synset. */
  file(synset: number): LexicographerFile
  /** The synset at this byte offset of data.noun, or -1. */
  synsetAt(offset: number): number
}

/** Creates the object that reads these columns. */
export function wordNetFrom(columns: WordNetColumns): WordNet {
  const { senseOffsets, senses, senseTags, memberOffsets, members, hypernymOffsets, hypernyms, instances } = columns
  const { partOfSpeech, tags, file, offset, glossOffsets } = columns
  const { buffer, byteOffset, byteLength } = columns.glossArena
  const glosses = Buffer.from(buffer, byteOffset, byteLength)
  const lemmas = dictionaryFrom({ arena: columns.lemmaArena, offsets: columns.lemmaOffsets })
  return {
    synsets: offset.length,
    lemmas,
    nouns: countNouns(partOfSpeech),
    columns,
    synsetsOf: (lemma) => senses.subarray(senseOffsets[lemma], senseOffsets[lemma + 1]),
    senseTagsOf: (lemma) => senseTags.subarray(senseOffsets[lemma], senseOffsets[lemma + 1]),
    tags: (lemma) => tags[lemma],
    isLemma: (lemma, wanted) => (partOfSpeech[lemma] & partOfSpeechBit[wanted]) !== 0,
    find: (text, wanted) => {
      const lemma = lemmas.find(text)
      return lemma >= 0 && (partOfSpeech[lemma] & partOfSpeechBit[wanted]) !== 0 ? lemma : -1
    },
    lemmasOf: (synset) => members.subarray(memberOffsets[synset], memberOffsets[synset + 1]),
    name: (synset) => lemmas.text(members[memberOffsets[synset]]),
    gloss: (synset) => glosses.toString("utf8", glossOffsets[synset], glossOffsets[synset + 1]),
    hypernymsOf: (synset) => hypernyms.subarray(hypernymOffsets[synset], hypernymOffsets[synset + 1]),
    parent: (synset) => {
      const first = hypernymOffsets[synset]
      return first < hypernymOffsets[synset + 1] ? hypernyms[first] : -1
    },
    isInstance: (synset) => {
      for (let i = hypernymOffsets[synset]; i < hypernymOffsets[synset + 1]; i++) if (instances[i] === 1) return true
      return false
    },
    file: (synset) => lexicographerFiles[file[synset]],
    synsetAt: (wanted) => searchSorted(offset, wanted),
  }
}

/** Nouns have the first ids, so their number is where they end. */
function countNouns(partOfSpeech: Uint8Array): number {
  let low = 0
  let high = partOfSpeech.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((partOfSpeech[middle] & partOfSpeechBit.noun) !== 0) low = middle + 1
    else high = middle
  }
  return low
}
