import type { Interner } from "../kernels/dictionary.ts"
import type { LineReader } from "./line-reader.ts"
import { internWord } from "./read-index.ts"

/** The noun synsets as in data.noun. Hypernyms are still byte offsets. */
export interface NounSynsets {
  offset: number[]
  file: number[]
  memberOffsets: number[]
  members: number[]
  hypernymOffsets: number[]
  hypernyms: number[]
  instances: number[]
  glossArena: Uint8Array
  glossOffsets: number[]
}

const space = 32
const at = 64
const letterI = 105
const bar = 124

/**
 * Reads data.noun. A line has the byte offset, lexicographer file, part of speech, number of words (hexadecimal), the
 * words, each with its id in the file, number of pointers, the pointers (symbol, offset, part of speech, source and
 * target), a bar, and the gloss. wndb(5WN). Words that differ only in case (`ddC`, `DDC`) become one lemma.
 */
export function readNounSynsets(reader: LineReader, lemmas: Interner): NounSynsets {
  const nouns = lemmas.size
  const synsets: NounSynsets = {
    offset: [],
    file: [],
    memberOffsets: [0],
    members: [],
    hypernymOffsets: [0],
    hypernyms: [],
    instances: [],
    glossArena: new Uint8Array(reader.bytes.length),
    glossOffsets: [0],
  }
  const { members, hypernyms, instances, glossArena } = synsets
  let glossEnd = 0
  while (reader.more()) {
    const start = reader.at
    const offset = reader.readNumber()
    if (offset !== start) reader.fail()
    synsets.offset.push(offset)
    synsets.file.push(reader.readNumber())
    reader.skipField()

    const firstMember = members.length
    const words = reader.readNumber(16)
    for (let i = 0; i < words; i++) {
      reader.readWord()
      const lemma = internWord(lemmas, reader)
      if (lemma >= nouns) reader.fail()
      if (members.indexOf(lemma, firstMember) < 0) members.push(lemma)
      reader.skipField()
    }
    synsets.memberOffsets.push(members.length)

    const pointers = reader.readNumber()
    for (let i = 0; i < pointers; i++) {
      const isHypernym = reader.peek() === at && (reader.peek(1) === space || reader.peek(1) === letterI)
      const isInstance = reader.peek(1) === letterI
      reader.skipField()
      if (isHypernym) {
        hypernyms.push(reader.readNumber())
        instances.push(isInstance ? 1 : 0)
      } else reader.skipField()
      reader.skipField()
      reader.skipField()
    }
    synsets.hypernymOffsets.push(hypernyms.length)

    if (reader.peek() !== bar) reader.fail()
    reader.skipField()
    const gloss = reader.bytes.subarray(reader.at, reader.lineEnd())
    glossArena.set(gloss, glossEnd)
    glossEnd += gloss.length
    synsets.glossOffsets.push(glossEnd)
    reader.endLine()
  }
  return { ...synsets, glossArena: glossArena.subarray(0, glossEnd) }
}
