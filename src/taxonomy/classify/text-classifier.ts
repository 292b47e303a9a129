import { type Dictionary, type DictionaryParts, dictionaryFrom, Interner } from "../../kernels/dictionary.ts"
import { cutShard } from "../../text/cut-words.ts"
import { unclassified } from "./classifier.ts"
import { runClassifier } from "./classify-shard.ts"
import type { ClassifierModel } from "./model.ts"
import { readShard, type WordReadings } from "./word-readings.ts"

/** A classifier as data, for another thread. */
export type PortableClassifier =
  | { kind: "phrases"; model: ClassifierModel }
  | { kind: "table"; queries: DictionaryParts; nodes: Int32Array }

/** Gives queries their topics as they come, in the thread that asks. */
export type TextClassifier = (queries: Dictionary) => Int32Array

/** A classifier of texts in this thread, from what another thread handed over. */
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
  // It remembers what it computed, so it stays as long as the arrays of the readings do.
  let classifyRun = runClassifier(model, readings.all)
  return (queries) => {
    if (words.size > mostWords) {
      words.clear()
      readings = new GrowingReadings()
      classifyRun = runClassifier(model, readings.all)
    }
    const cut = cutShard({ queries: queries.parts(), mode: "words", seed: words.seed, from: 0, to: queries.size })
    const known = words.size
    const ids = new Int32Array(cut.hashes.length)
    for (let i = 0; i < ids.length; i++)
      ids[i] = words.intern(cut.arena, cut.offsets[i], cut.offsets[i + 1], cut.hashes[i])
    if (words.size > known) {
      const { arena, offsets } = words
      const before = readings.all
      readings.add(readShard({ words: { arena, offsets }, model, from: known, to: words.size }))
      if (readings.all !== before) classifyRun = runClassifier(model, readings.all)
    }
    const offsets = new Uint32Array(queries.size + 1)
    for (let i = 0; i < queries.size; i++) offsets[i + 1] = offsets[i] + cut.lengths[i]
    const tokens = cut.tokens.map((token) => ids[token])
    const topics = new Int32Array(queries.size)
    classifyRun({ offsets, tokens, topics, from: 0, to: queries.size })
    return topics
  }
}

/** Readings of words to which more are added. The arrays of `all` are longer than what they hold; `all` is another when they are. */
class GrowingReadings {
  all: WordReadings = emptyReadings({ words: 1 << 10, parts: 1 << 10, forms: 1 << 10 })
  #words = 0
  #parts = 0
  #forms = 0

  add(more: WordReadings): void {
    const [words, parts, forms] = [more.taught.length, more.context.length, more.forms.length]
    this.#reserve({ words: this.#words + words + 1, parts: this.#parts + parts + 1, forms: this.#forms + forms })
    const { all } = this
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

  #reserve(least: ReadingSizes): void {
    const { all } = this
    const { words, parts, forms } = { words: all.parts.length, parts: all.context.length, forms: all.forms.length }
    if (least.words <= words && least.parts <= parts && least.forms <= forms) return
    const grow = (needed: number, there: number) => (needed <= there ? there : Math.max(needed, there * 2))
    const larger = emptyReadings({
      words: grow(least.words, words),
      parts: grow(least.parts, parts),
      forms: grow(least.forms, forms),
    })
    larger.parts.set(all.parts)
    larger.taught.set(all.taught)
    larger.formOffsets.set(all.formOffsets)
    larger.context.set(all.context)
    larger.kinds.set(all.kinds)
    larger.info.set(all.info)
    larger.alone.set(all.alone)
    larger.opens.set(all.opens)
    larger.forms.set(all.forms)
    this.all = larger
  }
}

interface ReadingSizes {
  words: number
  parts: number
  forms: number
}

const emptyReadings = ({ words, parts, forms }: ReadingSizes): WordReadings => ({
  parts: new Uint32Array(words),
  taught: new Int32Array(words),
  formOffsets: new Uint32Array(parts),
  context: new Int32Array(parts),
  kinds: new Uint8Array(parts),
  info: new Float32Array(parts),
  alone: new Int32Array(parts),
  opens: new Uint8Array(parts),
  forms: new Int32Array(forms),
})
