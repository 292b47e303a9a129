import type { ClassifierModel } from "./model.ts"
import { stepTrie } from "./phrase-trie.ts"
import type { Reading } from "./read-words.ts"

/** The readings of words: those of word w are the parts [offsets[w], offsets[w + 1]), each with its fields. */
export interface WordReadings {
  offsets: Int32Array
  /** `partFields` numbers a part: they are wanted together, so they lie in one line of the processor's cache. */
  fields: Int32Array
  forms: Int32Array
  /** Of each word: its row in the lexicon, or -1. */
  taught: Int32Array
}

export const partFields = 8
/** Where in the fields of a part stands what. */
export const partField = {
  /** The words that it may be a form of are forms[formsFrom, formsTo). */
  formsFrom: 0,
  formsTo: 1,
  /** The word under which it is looked up in texts, or -1. */
  context: 2,
  /** The phrase that it is by itself, or -1. */
  alone: 3,
  /** 1 if longer phrases begin with it. */
  opens: 4,
  /** The kinds of its words. */
  kinds: 5,
  /** How much it says, at most `mostInfo`, as the bits of a 32-bit float. */
  infoBits: 6,
} as const

/** A word that stands in no text says no more than one that stands in few. */
const mostInfo = 10
const float = new Float32Array(1)
const floatBits = new Int32Array(float.buffer)

/** Readings of words to which more are added. The arrays are longer than what they hold, and others when that has grown. */
export class ReadingList implements WordReadings {
  offsets: Int32Array = new Int32Array(1 << 10)
  fields: Int32Array = new Int32Array(partFields << 10)
  forms: Int32Array = new Int32Array(1 << 10)
  taught: Int32Array = new Int32Array(1 << 10)
  readonly #model: ClassifierModel
  #words = 0
  #parts = 0
  #forms = 0

  constructor(model: ClassifierModel) {
    this.#model = model
  }

  /** A word, and its row in the lexicon. */
  add({ forms, context }: Reading, taught = -1): void {
    for (let part = 0; part < forms.length; part++) this.#addPart(forms[part], context[part])
    if (this.#words + 2 > this.offsets.length) {
      this.offsets = enlarge(this.offsets)
      this.taught = enlarge(this.taught)
    }
    this.taught[this.#words++] = taught
    this.offsets[this.#words] = this.#parts
  }

  /** Arrays of exactly what they hold. */
  finish(): WordReadings {
    return {
      offsets: this.offsets.slice(0, this.#words + 1),
      fields: this.fields.slice(0, this.#parts * partFields),
      forms: this.forms.slice(0, this.#forms),
      taught: this.taught.slice(0, this.#words),
    }
  }

  #addPart(forms: readonly number[], context: number): void {
    const { kind, info, trie } = this.#model
    const formsFrom = this.#forms
    let phrase = -1
    let goesOn = 0
    for (const form of forms) {
      if (this.#forms === this.forms.length) this.forms = enlarge(this.forms)
      this.forms[this.#forms++] = form
      const state = stepTrie(trie, 0, form)
      if (state < 0) continue
      if (phrase < 0) phrase = trie.phraseAt[state]
      goesOn |= trie.goesOn[state]
    }
    const at = this.#parts++ * partFields
    if (at === this.fields.length) this.fields = enlarge(this.fields)
    const { fields } = this
    fields[at + partField.formsFrom] = formsFrom
    fields[at + partField.formsTo] = this.#forms
    fields[at + partField.context] = context
    fields[at + partField.alone] = phrase
    fields[at + partField.opens] = goesOn
    fields[at + partField.kinds] = (forms.length > 0 ? kind[forms[0]] : 0) | (context < 0 ? 0 : kind[context])
    float[0] = context < 0 ? 0 : Math.min(mostInfo, info[context])
    fields[at + partField.infoBits] = floatBits[0]
  }
}

/** The readings of words, one after the other, that no lexicon knows. */
export function listReadings(readings: Iterable<Reading>, model: ClassifierModel): WordReadings {
  const list = new ReadingList(model)
  for (const reading of readings) list.add(reading)
  return list.finish()
}

function enlarge(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
