import type { Interner } from "../kernels/dictionary.ts"
import type { LineReader } from "./line-reader.ts"
import { internWord, type NounIndex } from "./read-index.ts"

const noun = 49 // "1"

/**
 * How often each sense was tagged in Princeton's concordances, and each lemma in all its senses and parts of speech. A
 * line of index.sense is lemma%type:file:id:head:id, synset offset, sense number, count. senseidx(5WN). The number of
 * tagged senses in index.noun is not a frequency: it says how many senses were seen, not how often.
 */
export function readTags(reader: LineReader, lemmas: Interner, { senseOffsets, senses }: NounIndex) {
  const known = lemmas.size
  const tags = new Uint32Array(known)
  const senseTags = new Uint16Array(senses.length)
  while (reader.more()) {
    reader.readWord()
    const lemma = internWord(lemmas, reader)
    if (lemma >= known) reader.fail()
    const isNoun = reader.peek() === noun
    reader.skipField()
    const offset = reader.readNumber()
    const sense = reader.readNumber()
    const count = reader.readNumber()
    tags[lemma] += count
    if (isNoun) {
      const place = senseOffsets[lemma] + sense - 1
      if (place >= senseOffsets[lemma + 1] || senses[place] !== offset) reader.fail()
      senseTags[place] = Math.min(count, 0xffff)
    }
    reader.endLine()
  }
  return { tags, senseTags }
}
