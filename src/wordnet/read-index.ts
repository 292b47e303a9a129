import { hashBytes, type Interner } from "../kernels/dictionary.ts"
import type { LineReader } from "./line-reader.ts"

/** Lemma → synsets as in the index: byte offsets into data.noun, in sense order. */
export interface NounIndex {
  senseOffsets: number[]
  senses: number[]
}

/** The id of the word that was just read. */
export function internWord(lemmas: Interner, { word, wordLength }: LineReader): number {
  return lemmas.intern(word, 0, wordLength, hashBytes(word, 0, wordLength, lemmas.seed))
}

/**
 * Reads index.noun. A line has the lemma, part of speech, number of synsets, number of pointer symbols, these symbols,
 * number of senses, number of tagged senses, and the offsets of the synsets. wndb(5WN).
 */
export function readNounIndex(reader: LineReader, lemmas: Interner): NounIndex {
  const senseOffsets = [0]
  const senses: number[] = []
  while (reader.more()) {
    reader.readWord()
    if (internWord(lemmas, reader) !== senseOffsets.length - 1) reader.fail()
    reader.skipField()
    const synsets = reader.readNumber()
    const symbols = reader.readNumber()
    for (let i = 0; i < symbols + 2; i++) reader.skipField()
    for (let i = 0; i < synsets; i++) senses.push(reader.readNumber())
    senseOffsets.push(senses.length)
    reader.endLine()
  }
  return { senseOffsets, senses }
}

/** Reads the lemmas from the index of another part of speech. */
export function readLemmas(reader: LineReader, lemmas: Interner): number[] {
  const ids: number[] = []
  while (reader.more()) {
    reader.readWord()
    ids.push(internWord(lemmas, reader))
    reader.endLine()
  }
  return ids
}
