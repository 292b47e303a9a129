import type { DictionaryParts } from "../../kernels/dictionary.ts"
import type { LexiconModel } from "./lexicon.ts"
import type { ClassifierModel } from "./model.ts"
import { stepTrie } from "./phrase-trie.ts"
import { lexiconKey, type Reading, wordReader } from "./read-words.ts"
import { findText } from "./word-index.ts"

/** A run of a dictionary's words, to be read. */
export interface WordShard {
  words: DictionaryParts
  model: ClassifierModel
  from: number
  to: number
}

/** The readings of words: those of word w are the parts [parts[w], parts[w + 1]), each with forms and context. */
export interface WordReadings {
  parts: Uint32Array
  formOffsets: Uint32Array
  forms: Int32Array
  context: Int32Array
  /** Of each part: the kinds of its words, and how much it says, at most `mostInfo`. */
  kinds: Uint8Array
  info: Float32Array
  /** Of each part: the phrase that it is by itself, or -1, and 1 if longer phrases begin with it. */
  alone: Int32Array
  opens: Uint8Array
  /** Of each word: its row in the lexicon, or -1. */
  taught: Int32Array
}

/** A word that stands in no text says no more than one that stands in few. */
const mostInfo = 10

export function readShard({ words, model, from, to }: WordShard): WordReadings {
  const read = wordReader(model)
  const { lexicon } = model
  const { arena, offsets } = words
  const bytes = Buffer.from(arena.buffer, arena.byteOffset, arena.byteLength)
  const taught = new Int32Array(to - from).fill(-1)
  const readAll = function* () {
    for (let word = from; word < to; word++) {
      const text = bytes.toString("utf8", offsets[word], offsets[word + 1])
      if (lexicon !== undefined) taught[word - from] = lookUp(lexicon, text)
      yield read(text)
    }
  }
  return { ...packReadings(readAll(), model), taught }
}

/** The readings of words, one after the other, that no lexicon knows. */
export function packReadings(readings: Iterable<Reading>, { kind, info, trie }: ClassifierModel): WordReadings {
  const parts = [0]
  const formOffsets = [0]
  const forms: number[] = []
  const context: number[] = []
  const kinds: number[] = []
  const alone: number[] = []
  const opens: number[] = []
  for (const reading of readings) {
    reading.forms.forEach((found, part) => {
      let phrase = -1
      let goesOn = 0
      for (const form of found) {
        forms.push(form)
        const state = stepTrie(trie, 0, form)
        if (state < 0) continue
        if (phrase < 0) phrase = trie.phraseAt[state]
        goesOn |= trie.goesOn[state]
      }
      alone.push(phrase)
      opens.push(goesOn)
      formOffsets.push(forms.length)
      const word = reading.context[part]
      context.push(word)
      kinds.push((found.length > 0 ? kind[found[0]] : 0) | (word < 0 ? 0 : kind[word]))
    })
    parts.push(context.length)
  }
  return {
    parts: Uint32Array.from(parts),
    formOffsets: Uint32Array.from(formOffsets),
    forms: Int32Array.from(forms),
    context: Int32Array.from(context),
    kinds: Uint8Array.from(kinds),
    alone: Int32Array.from(alone),
    opens: Uint8Array.from(opens),
    info: Float32Array.from(context, (word) => (word < 0 ? 0 : Math.min(mostInfo, info[word]))),
    taught: new Int32Array(parts.length - 1).fill(-1),
  }
}

function lookUp({ words }: LexiconModel, text: string): number {
  return findText(words, lexiconKey(text))
}

/** The readings of all shards as one, on shared memory. */
export function joinReadings(shards: readonly WordReadings[]): WordReadings {
  const total = (length: (shard: WordReadings) => number) => shards.reduce((sum, shard) => sum + length(shard), 0)
  const shared = (length: number) => new SharedArrayBuffer(length * 4)
  const partCount = total(({ context }) => context.length)
  const joined: WordReadings = {
    parts: new Uint32Array(shared(total(({ parts }) => parts.length - 1) + 1)),
    formOffsets: new Uint32Array(shared(partCount + 1)),
    forms: new Int32Array(shared(total(({ forms }) => forms.length))),
    context: new Int32Array(shared(partCount)),
    kinds: new Uint8Array(new SharedArrayBuffer(partCount)),
    alone: new Int32Array(shared(partCount)),
    opens: new Uint8Array(new SharedArrayBuffer(partCount)),
    info: new Float32Array(shared(partCount)),
    taught: new Int32Array(shared(total(({ taught }) => taught.length))),
  }
  let [word, part, form] = [0, 0, 0]
  for (const shard of shards) {
    joined.taught.set(shard.taught, word)
    for (let i = 1; i < shard.parts.length; i++) joined.parts[++word] = part + shard.parts[i]
    for (let i = 0; i < shard.context.length; i++) joined.formOffsets[part + i + 1] = form + shard.formOffsets[i + 1]
    joined.context.set(shard.context, part)
    joined.kinds.set(shard.kinds, part)
    joined.info.set(shard.info, part)
    joined.alone.set(shard.alone, part)
    joined.opens.set(shard.opens, part)
    joined.forms.set(shard.forms, form)
    part += shard.context.length
    form += shard.forms.length
  }
  return joined
}
