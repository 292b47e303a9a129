import type { ClassifierModel } from "./model.ts"
import { stepTrie } from "./phrase-trie.ts"
import type { Reading } from "./read-words.ts"

/** The readings of words. Word w has the parts [offsets[w], offsets[w + 1]), each with its fields. */
export interface WordReadings {
  offsets: Int32Array
  /** `partFields` numbers per part. They are read together, so they share one cache line. */
  fields: Int32Array
  forms: Int32Array
  /** For each word: its row in the lexicon, or -1. */
  taught: Int32Array
}

export const partFields = 8
/** Positions of the fields of a part. */
export const partField = {
  /** The part may be a form of the words forms[formsFrom, formsTo). */
  formsFrom: 0,
  formsTo: 1,
  /** The word that finds the part in texts, or -1. */
  context: 2,
  /** The phrase that the part is by itself, or -1. */
  alone: 3,
  /** 1 if longer phrases begin with the part. */
  opens: 4,
  /** The kinds of its words. */
  kinds: 5,
  /** How much the part says, at most `mostInfo`, as the bits of a 32-bit float. */
  infoBits: 6,
} as const

/** A word that occurs in no text says no more than one that occurs in few. */
const mostInfo = 10
const float = new Float32Array(1)
const floatBits = new Int32Array(float.buffer)

/** A growing list of word readings. The arrays are longer than their content, and are replaced when they grow. */
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

  /** Adds a word with its row in the lexicon. */
  add({ forms, context }: Reading, taught = -1): void {
    for (let part = 0; part < forms.length; part++) this.#addPart(forms[part], context[part])
    if (this.#words + 2 > this.offsets.length) {
      this.offsets = enlarge(this.offsets)
      this.taught = enlarge(this.taught)
    }
    this.taught[this.#words++] = taught
    this.offsets[this.#words] = this.#parts
  }

  /** Returns arrays trimmed to their content. */
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

/** The readings of a sequence of words, without a lexicon. */
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
