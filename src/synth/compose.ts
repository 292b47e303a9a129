import { mixWords, type SeededStream } from "../kernels/random.ts"
import { model } from "./model.ts"
import { type PowerLawOptions, powerLaw } from "./power-law.ts"
import type { NumberRows, Vocabulary } from "./vocabulary.ts"
import { kinds, misspeltId, siteId, type WordCode, wordCode } from "./word-codes.ts"

/** A query as the codes of its words, and its topic. Written in place. */
export interface Draft {
  codes: Float64Array
  length: number
  topic: number
}

export const emptyDraft = (): Draft => ({ codes: new Float64Array(model.mostWords + 8), length: 0, topic: 0 })

export interface Composer {
  topic(random: SeededStream): number
  /** The number of words of a new query, 1 to `mostWords`. */
  length(random: SeededStream): number
  /** A query of so many words on the draft's topic. */
  compose(draft: Draft, length: number, random: SeededStream): void
  /** The draft with one more word. */
  extend(draft: Draft, random: SeededStream): void
  /** The draft with another word in the place of its first or last. */
  vary(draft: Draft, random: SeededStream): void
}

/** Draws queries by the laws of `model`. What a rank means follows from the seed, so it is the same for every user. */
export function createComposer(vocabulary: Vocabulary, seed: number): Composer {
  const { topicWords, pairs, triples, modifiersFrom, modifiersTo, given } = vocabulary
  const salt = mixWords(seed, Math.floor(seed / 2 ** 32) + 7)
  const bounded = (law: Omit<PowerLawOptions, "size">, size: number) => powerLaw({ ...law, size })
  const topicLaw = bounded(model.topics, vocabulary.topics)
  const modifierLaw = bounded(model.modifier, modifiersTo - modifiersFrom)
  const openingLaw = bounded(model.opening, vocabulary.openings.offsets.length - 1)
  const joinerLaw = bounded(model.joiner, vocabulary.joiners.offsets.length - 1)
  const siteLaw = powerLaw(model.site)
  const headLaw = powerLaw(model.headWord)
  const pairLaw = powerLaw(model.pair)
  const tripleLaw = powerLaw(model.triple)
  const coinedLaw = powerLaw(model.coined)
  const townLaw = powerLaw(model.town)
  const numberLaw = powerLaw(model.number)
  const companyLaw = powerLaw(model.company)
  const dictionaryEnd = vocabulary.words.offsets.length - 1
  const misspellingLaw = powerLaw(model.misspelling)
  // Lists of topics differ in length; the law of the longest is cut by drawing again.
  const topicWordLaw = bounded(model.topicWord, 240)
  const topicWordAt = (topic: number, unit: number) => {
    const from = topicWords.offsets[topic]
    const count = topicWords.offsets[topic + 1] - from
    return topicWords.items[from + (topicWordLaw(unit) % count)]
  }
  const modifierAt = (unit: number) => modifiersFrom + modifierLaw(unit)

  /** The code of a made-up word that belongs to a key. */
  const coinedBy = (a: number, b: number) => wordCode(kinds.coined, mixWords(a, b) + (mixWords(b, a) & 0xfff) * 2 ** 32)
  const keyOf = (topic: number, rank: number) =>
    mixWords(mixWords(salt, topic), mixWords(rank % 2 ** 32, rank / 2 ** 32))

  const headWord = (topic: number, rank: number): WordCode => {
    const from = topicWords.offsets[topic]
    if (rank < topicWords.offsets[topic + 1] - from) return topicWords.items[from + rank]
    return coinedBy(keyOf(topic, rank), topic)
  }

  /** The phrase of two words at a rank of a topic: first what the topic's parts are called, then what follows from a hash. */
  const putPair = (codes: Float64Array, at: number, topic: number, rank: number) => {
    const from = pairs.offsets[topic]
    if (rank * 2 < pairs.offsets[topic + 1] - from) {
      codes[at] = pairs.items[from + rank * 2]
      codes[at + 1] = pairs.items[from + rank * 2 + 1]
      return
    }
    const key = keyOf(topic, rank)
    const first = mixWords(key, 1) / 2 ** 32
    const second = mixWords(key, 2) / 2 ** 32
    const shape = key % 16
    if (shape < 6) {
      codes[at] = topicWordAt(topic, first)
      codes[at + 1] = topicWordAt(topic, second)
    } else if (shape < 10) {
      codes[at] = modifierAt(first)
      codes[at + 1] = topicWordAt(topic, second)
    } else if (shape < 13) {
      codes[at] = given[Math.floor(first ** 2 * given.length)]
      codes[at + 1] = wordCode(kinds.coined, coinedLaw(second))
    } else if (shape < 15) {
      codes[at] = topicWordAt(topic, first)
      codes[at + 1] = modifierAt(second)
    } else {
      codes[at] = wordCode(kinds.coined, coinedLaw(second))
      codes[at + 1] = topicWordAt(topic, first)
    }
  }

  const putTriple = (codes: Float64Array, at: number, topic: number, rank: number) => {
    const from = triples.offsets[topic]
    if (rank * 3 < triples.offsets[topic + 1] - from) {
      for (let i = 0; i < 3; i++) codes[at + i] = triples.items[from + rank * 3 + i]
      return
    }
    const key = keyOf(topic, rank) ^ 0x5bd1e995
    const word = mixWords(key, 3) / 2 ** 32
    const pairRank = pairLaw(mixWords(key, 4) / 2 ** 32)
    const shape = (key >>> 8) % 8
    if (shape < 3) {
      putPair(codes, at, topic, pairRank)
      codes[at + 2] = modifierAt(word)
    } else if (shape < 6) {
      codes[at] = modifierAt(word)
      putPair(codes, at + 1, topic, pairRank)
    } else {
      codes[at] = modifierAt(word)
      codes[at + 1] = joinerAt(mixWords(key, 5) / 2 ** 32)
      codes[at + 2] = topicWordAt(topic, mixWords(key, 6) / 2 ** 32)
    }
  }
  const joinerAt = (unit: number) => vocabulary.joiners.items[Math.floor(unit ** 2 * 5)]

  /**
   * A word to put beside `neighbour`. Words keep company: mostly it is one of the neighbour's companions in this topic, a
   * power law of ranks again, else any word that refines.
   */
  const refinementWord = (topic: number, neighbour: WordCode, random: SeededStream): WordCode => {
    if (random.unit() >= model.company.share) return slip(wordAt(topic, random.unit(), random.unit()), random)
    const rank = companyLaw(random.unit())
    const key = mixWords(keyOf(topic % model.company.circles, rank), neighbour % 2 ** 32)
    return slip(wordAt(topic, mixWords(key, 8) / 2 ** 32, mixWords(key, 9) / 2 ** 32), random)
  }

  /** A refining word: what kind of word, and which one, by two uniform numbers. */
  const wordAt = (topic: number, share: number, unit: number): WordCode => {
    const { modifier, topicWord, town, coined, number } = model.refinement
    if (share < modifier) return modifierAt(unit)
    if (share < modifier + topicWord) return topicWordAt(topic, unit)
    if (share < modifier + topicWord + town) return wordCode(kinds.town, townLaw(unit))
    if (share < modifier + topicWord + town + coined) return wordCode(kinds.coined, coinedLaw(unit))
    if (share < modifier + topicWord + town + coined + number) return wordCode(kinds.number, numberLaw(unit))
    return headWord(topic, headLaw(unit))
  }

  /** A word of the dictionary, now and then misspelt. */
  const slip = (word: WordCode, random: SeededStream): WordCode => {
    if (random.unit() >= model.misspeltWord || word >= dictionaryEnd) return word
    return wordCode(kinds.misspelt, misspeltId(word, misspellingLaw(random.unit())))
  }

  const composeWord = (draft: Draft, random: SeededStream) => {
    const { site, head, misspelt } = model.oneWord
    const { topic } = draft
    const share = random.unit()
    if (share < site) {
      const id = siteId(topic, siteLaw(random.unit()))
      const form = random.unit()
      const { com, www } = model.siteForms
      draft.codes[0] = wordCode(form < com ? kinds.siteCom : form < com + www ? kinds.siteWww : kinds.site, id)
    } else if (share < site + head) {
      draft.codes[0] = headWord(topic, headLaw(random.unit()))
    } else if (share < site + head + misspelt) {
      const word = topicWordAt(topic, random.unit())
      draft.codes[0] = wordCode(kinds.misspelt, misspeltId(word, misspellingLaw(random.unit())))
    } else {
      draft.codes[0] = wordCode(kinds.coined, coinedLaw(random.unit()))
    }
    draft.length = 1
  }

  /** Puts one word before the draft. */
  const prepend = (draft: Draft, code: WordCode) => {
    draft.codes.copyWithin(1, 0, draft.length)
    draft.codes[0] = code
    draft.length++
  }
  const append = (draft: Draft, code: WordCode) => {
    draft.codes[draft.length++] = code
  }
  const appendRow = (draft: Draft, { offsets, items }: NumberRows, row: number) => {
    for (let i = offsets[row]; i < offsets[row + 1]; i++) append(draft, items[i])
  }

  /** Refines the draft to a length: Q+R, R+Q, or R+Q+R when two words or more are missing. */
  const refine = (draft: Draft, length: number, random: SeededStream) => {
    while (draft.length < length) {
      const side = random.unit()
      const both = side >= model.after + model.before && draft.length + 1 < length
      if (side >= model.after) prepend(draft, refinementWord(draft.topic, draft.codes[0], random))
      if (side < model.after || both) append(draft, refinementWord(draft.topic, draft.codes[draft.length - 1], random))
    }
  }

  const composeLong = (draft: Draft, length: number, random: SeededStream) => {
    const { opening, pair, triple, joiner } = model.long
    draft.length = 0
    if (random.unit() < opening) appendRow(draft, vocabulary.openings, openingLaw(random.unit()))
    const shape = random.unit()
    if (shape < pair && draft.length + 2 <= length) {
      putPair(draft.codes, draft.length, draft.topic, pairLaw(random.unit()))
      draft.length += 2
    } else if (shape < pair + triple && draft.length + 3 <= length) {
      putTriple(draft.codes, draft.length, draft.topic, tripleLaw(random.unit()))
      draft.length += 3
    } else append(draft, headWord(draft.topic, headLaw(random.unit())))
    while (length - draft.length > 1 && random.unit() < joiner) {
      const row = joinerLaw(random.unit())
      const { offsets } = vocabulary.joiners
      if (draft.length + offsets[row + 1] - offsets[row] >= length) break
      appendRow(draft, vocabulary.joiners, row)
      if (length - draft.length >= 2 && random.unit() < 0.5) {
        putPair(draft.codes, draft.length, draft.topic, pairLaw(random.unit()))
        draft.length += 2
      } else append(draft, refinementWord(draft.topic, draft.codes[draft.length - 1], random))
    }
    refine(draft, length, random)
    draft.length = length
  }

  return {
    topic: (random) => topicLaw(random.unit()),
    length(random) {
      let share = random.unit()
      for (let length = 1; length < 5; length++) {
        share -= model.lengthShares[length - 1]
        if (share < 0) return length
      }
      let length = 5
      while (length < model.mostWords && random.unit() < model.oneMoreWord) length++
      return length
    },
    compose(draft, length, random) {
      if (length === 1) return composeWord(draft, random)
      const { topic, codes } = draft
      const shape = random.unit()
      if (length === 2) {
        if (shape < model.twoWords.phrase) {
          putPair(codes, 0, topic, pairLaw(random.unit()))
          draft.length = 2
          return
        }
        codes[0] = headWord(topic, headLaw(random.unit()))
        draft.length = 1
      } else if (length === 3) {
        const { phrase, pair } = model.threeWords
        if (shape < phrase) {
          putTriple(codes, 0, topic, tripleLaw(random.unit()))
          draft.length = 3
          return
        }
        if (shape < phrase + pair) {
          putPair(codes, 0, topic, pairLaw(random.unit()))
          draft.length = 2
        } else {
          codes[0] = headWord(topic, headLaw(random.unit()))
          draft.length = 1
        }
      } else return composeLong(draft, length, random)
      refine(draft, length, random)
    },
    extend: (draft, random) => refine(draft, draft.length + 1, random),
    vary(draft, random) {
      const { codes, length } = draft
      if (random.unit() < model.after) codes[length - 1] = refinementWord(draft.topic, codes[length - 2], random)
      else codes[0] = refinementWord(draft.topic, codes[1], random)
    },
  }
}
