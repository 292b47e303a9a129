import { type Dictionary, type DictionaryParts, dictionaryFrom, Interner } from "../../kernels/dictionary.ts"
import { cutShard } from "../../text/cut-words.ts"
import { unclassified } from "./classifier.ts"
import { classifyShard } from "./classify-shard.ts"
import type { ClassifierModel } from "./model.ts"
import { readShard, type WordReadings } from "./word-readings.ts"

/** A classifier as data, for another thread. */
export type PortableClassifier =
  | { kind: "phrases"; model: ClassifierModel }
  | { kind: "table"; queries: DictionaryParts; nodes: Int32Array }

/** Gives queries their topics as they come, in the thread that asks. */
export type TextClassifier = (queries: Dictionary) => Int32Array

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

/** Words whose readings are kept; then all are forgotten, and those that still occur are read again. */
const mostWords = 1 << 20

/** Reading a word takes far longer than using it, and most words of a stream were there before: their readings stay. */
function phraseTexts(model: ClassifierModel): TextClassifier {
  const words = new Interner({ expected: 1 << 12 })
  let readings = new GrowingReadings()
  return (queries) => {
    if (words.size > mostWords) {
      words.clear()
      readings = new GrowingReadings()
    }
    const cut = cutShard({ queries: queries.parts(), mode: "words", seed: words.seed, from: 0, to: queries.size })
    const known = words.size
    const ids = new Int32Array(cut.hashes.length)
    for (let i = 0; i < ids.length; i++)
      ids[i] = words.intern(cut.arena, cut.offsets[i], cut.offsets[i + 1], cut.hashes[i])
    if (words.size > known) {
      const { arena, offsets } = words
      readings.add(readShard({ words: { arena, offsets }, model, from: known, to: words.size }))
    }
    const offsets = new Uint32Array(queries.size + 1)
    for (let i = 0; i < queries.size; i++) offsets[i + 1] = offsets[i] + cut.lengths[i]
    const tokens = cut.tokens.map((token) => ids[token])
    const topics = new Int32Array(queries.size)
    classifyShard({ model, readings: readings.all, offsets, tokens, topics, from: 0, to: queries.size })
    return topics
  }
}

/** Readings of words to which more are added; the arrays are longer than what they hold. */
class GrowingReadings {
  all: WordReadings = {
    parts: new Uint32Array(1 << 10),
    formOffsets: new Uint32Array(1 << 10),
    forms: new Int32Array(1 << 10),
    context: new Int32Array(1 << 10),
    kinds: new Uint8Array(1 << 10),
    info: new Float32Array(1 << 10),
    alone: new Int32Array(1 << 10),
    opens: new Uint8Array(1 << 10),
    taught: new Int32Array(1 << 10),
  }
  #words = 0
  #parts = 0
  #forms = 0

  add(more: WordReadings): void {
    const [words, parts, forms] = [more.taught.length, more.context.length, more.forms.length]
    const room = { word: this.#words + words + 1, part: this.#parts + parts + 1, form: this.#forms + forms }
    const { all } = this
    all.parts = grown(all.parts, room.word, Uint32Array)
    all.taught = grown(all.taught, room.word, Int32Array)
    all.formOffsets = grown(all.formOffsets, room.part, Uint32Array)
    all.context = grown(all.context, room.part, Int32Array)
    all.kinds = grown(all.kinds, room.part, Uint8Array)
    all.info = grown(all.info, room.part, Float32Array)
    all.alone = grown(all.alone, room.part, Int32Array)
    all.opens = grown(all.opens, room.part, Uint8Array)
    all.forms = grown(all.forms, room.form, Int32Array)
    for (let i = 1; i <= words; i++) all.parts[this.#words + i] = this.#parts + more.parts[i]
    for (let i = 1; i <= parts; i++) all.formOffsets[this.#parts + i] = this.#forms + more.formOffsets[i]
    all.taught.set(more.taught, this.#words)
    all.context.set(more.context, this.#parts)
    all.kinds.set(more.kinds, this.#parts)
    all.info.set(more.info, this.#parts)
    all.alone.set(more.alone, this.#parts)
    all.opens.set(more.opens, this.#parts)
    all.forms.set(more.forms, this.#forms)
    this.#words += words
    this.#parts += parts
    this.#forms += forms
  }
}

type Numbers = Uint32Array | Int32Array | Uint8Array | Float32Array

function grown<A extends Numbers>(array: A, least: number, type: new (length: number) => A): A {
  if (array.length >= least) return array
  const larger = new type(Math.max(least, array.length * 2))
  larger.set(array)
  return larger
}
