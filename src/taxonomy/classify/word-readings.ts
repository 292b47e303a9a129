import type { DictionaryParts } from "../../kernels/dictionary.ts"
import type { LexiconModel } from "./lexicon.ts"
import type { ClassifierModel } from "./model.ts"
import { lexiconKey, wordReader } from "./read-words.ts"
import { partField, partFields, ReadingList, type WordReadings } from "./reading-list.ts"
import { findText } from "./word-index.ts"

/** A run of a dictionary's words, to be read. */
export interface WordShard {
  words: DictionaryParts
  model: ClassifierModel
  from: number
  to: number
}

export function readShard({ model, ...run }: WordShard): WordReadings {
  const list = new ReadingList(model)
  wordsReader(model)(list, run)
  return list.finish()
}

/**
 * Makes the function that adds the readings of a run of words to a list. Keep it where runs are short: a new function
 * has to be compiled again before it is fast.
 */
export function wordsReader(model: ClassifierModel) {
  const read = wordReader(model)
  const { lexicon } = model
  return (list: ReadingList, { words, from, to }: Omit<WordShard, "model">): void => {
    const { arena, offsets } = words
    const bytes = Buffer.from(arena.buffer, arena.byteOffset, arena.byteLength)
    for (let word = from; word < to; word++) {
      const text = bytes.toString("utf8", offsets[word], offsets[word + 1])
      list.add(read(text), lexicon === undefined ? -1 : lookUp(lexicon, text))
    }
  }
}

function lookUp({ words }: LexiconModel, text: string): number {
  return findText(words, lexiconKey(text))
}

/** Joins the readings of all shards in shared memory. */
export function joinReadings(shards: readonly WordReadings[]): WordReadings {
  const shared = (length: (shard: WordReadings) => number, more = 0) =>
    new Int32Array(new SharedArrayBuffer(4 * shards.reduce((sum, shard) => sum + length(shard), more)))
  const joined: WordReadings = {
    offsets: shared(({ offsets }) => offsets.length - 1, 1),
    fields: shared(({ fields }) => fields.length),
    forms: shared(({ forms }) => forms.length),
    taught: shared(({ taught }) => taught.length),
  }
  let [word, field, form] = [0, 0, 0]
  for (const { offsets, fields, forms, taught } of shards) {
    joined.taught.set(taught, word)
    for (let i = 1; i < offsets.length; i++) joined.offsets[++word] = field / partFields + offsets[i]
    joined.fields.set(fields, field)
    for (const end = field + fields.length; field < end; field += partFields) {
      joined.fields[field + partField.formsFrom] += form
      joined.fields[field + partField.formsTo] += form
    }
    joined.forms.set(forms, form)
    form += forms.length
  }
  return joined
}
