import type { SeededStream } from "../kernels/random.ts"
import { append, appendRow, type Draft, prepend, rowLength } from "./draft.ts"
import { model } from "./model.ts"
import { powerLaw } from "./power-law.ts"
import { boundedLaw, createTopicTexts } from "./topic-texts.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { kinds, misspeltId, siteId, type WordCode, wordCode } from "./word-codes.ts"

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

/** The chances of a phrase of three words and of two, and the words that there is room for. */
interface HeadChoice {
  triple: number
  pair: number
  room: number
}

const twoWords: HeadChoice = { ...model.twoWords, room: 2 }
const threeWords: HeadChoice = { ...model.threeWords, room: 3 }

/** Draws queries by the laws of `model`. */
export function createComposer(vocabulary: Vocabulary, seed: number): Composer {
  const { openings, joiners } = vocabulary
  const texts = createTopicTexts(vocabulary, seed)
  const dictionarySize = vocabulary.words.offsets.length - 1
  const topicLaw = boundedLaw(model.topics, vocabulary.topics)
  const openingLaw = boundedLaw(model.opening, openings.offsets.length - 1)
  const joinerLaw = boundedLaw(model.joiner, joiners.offsets.length - 1)
  const siteLaw = powerLaw(model.site)
  const famousLaw = powerLaw(model.famous)
  const headLaw = powerLaw(model.headWord)
  const pairLaw = powerLaw(model.pair)
  const tripleLaw = powerLaw(model.triple)
  const coinedLaw = powerLaw(model.coined)
  const companyLaw = powerLaw(model.company)
  const misspellingLaw = powerLaw(model.misspelling)

  const misspell = (word: number, random: SeededStream) =>
    wordCode(kinds.misspelt, misspeltId(word, misspellingLaw(random.unit())))

  /** A word to put beside another: mostly one of its companions in this topic, else any word that refines. */
  const refinement = (topic: number, neighbour: WordCode, random: SeededStream): WordCode => {
    const word =
      random.unit() < model.company.share
        ? texts.companion(topic, neighbour, companyLaw(random.unit()))
        : texts.refiner(topic, random.unit(), random.unit())
    return random.unit() < model.misspeltWord && word < dictionarySize ? misspell(word, random) : word
  }
  const refineAfter = (draft: Draft, random: SeededStream) =>
    append(draft, refinement(draft.topic, draft.codes[draft.length - 1], random))
  const refineBefore = (draft: Draft, random: SeededStream) =>
    prepend(draft, refinement(draft.topic, draft.codes[0], random))

  /** Refines the draft to a length: Q+R, R+Q, or R+Q+R where two words or more are missing. */
  const refine = (draft: Draft, length: number, random: SeededStream) => {
    while (draft.length < length) {
      const side = random.unit()
      if (side >= model.after) refineBefore(draft, random)
      if (side < model.after || (side >= model.after + model.before && draft.length < length))
        refineAfter(draft, random)
    }
  }

  const appendSite = (draft: Draft, random: SeededStream) => {
    const { com, www } = model.siteForms
    const isFamous = random.unit() < model.famousShare
    if (isFamous) draft.topic = famousLaw(random.unit()) % vocabulary.topics
    const id = siteId(draft.topic, isFamous ? 0 : siteLaw(random.unit()))
    const form = random.unit()
    append(draft, wordCode(form < com ? kinds.siteCom : form < com + www ? kinds.siteWww : kinds.site, id))
  }

  const composeOne = (draft: Draft, random: SeededStream) => {
    const { site, head, misspelt } = model.oneWord
    const { topic } = draft
    const share = random.unit()
    if (share < site) appendSite(draft, random)
    else if (share < site + head) append(draft, texts.headWord(topic, headLaw(random.unit())))
    else if (share < site + head + misspelt) append(draft, misspell(texts.topicWord(topic, random.unit()), random))
    else append(draft, wordCode(kinds.coined, coinedLaw(random.unit())))
  }

  /** Begins a query with a phrase of three words, of two, or one word, by their shares and as far as there is room. */
  const appendHead = (draft: Draft, { pair, triple, room }: HeadChoice, random: SeededStream) => {
    const share = random.unit()
    if (share < triple && room >= 3) texts.appendTriple(draft, tripleLaw(random.unit()))
    else if (share < triple + pair && room >= 2) texts.appendPair(draft, pairLaw(random.unit()))
    else append(draft, texts.headWord(draft.topic, headLaw(random.unit())))
  }

  /** An opening, a phrase, and more of it joined on, to be refined to the length. */
  const beginLong = (draft: Draft, length: number, random: SeededStream) => {
    if (random.unit() < model.long.opening) {
      const row = openingLaw(random.unit())
      if (rowLength(openings, row) < length) appendRow(draft, openings, row)
    }
    appendHead(draft, { ...model.long, room: length - draft.length }, random)
    while (length - draft.length > 1 && random.unit() < model.long.joiner) {
      const row = joinerLaw(random.unit())
      if (draft.length + rowLength(joiners, row) >= length) break
      appendRow(draft, joiners, row)
      if (length - draft.length >= 2 && random.unit() < model.long.joinedPair)
        texts.appendPair(draft, pairLaw(random.unit()))
      else refineAfter(draft, random)
    }
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
      draft.length = 0
      if (length === 1) return composeOne(draft, random)
      if (length > 3) beginLong(draft, length, random)
      else appendHead(draft, length === 2 ? twoWords : threeWords, random)
      refine(draft, length, random)
    },
    extend: (draft, random) => refine(draft, draft.length + 1, random),
    vary(draft, random) {
      const { codes, length, topic } = draft
      if (random.unit() < model.after) codes[length - 1] = refinement(topic, codes[length - 2], random)
      else codes[0] = refinement(topic, codes[1], random)
    },
  }
}
