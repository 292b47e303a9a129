import type { SeededStream } from "../kernels/random.ts"
import type { Author } from "./author.ts"
import { append, appendRow, type Draft, prepend, rowLength } from "./draft.ts"
import { model } from "./model.ts"
import { createOwnWords } from "./own-words.ts"
import { powerLaw } from "./power-law.ts"
import { boundedLaw, createTopicTexts } from "./topic-texts.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { kinds, misspeltId, pageId, siteId, sitesWithPages, type WordCode, wordCode } from "./word-codes.ts"

export interface Composer {
  topic(random: SeededStream): number
  /** The number of words of a new query, 1 to `mostWords`. */
  length(random: SeededStream): number
  /** Writes a query of this many words on the draft's topic. */
  compose(draft: Draft, length: number, author: Author): void
  /** Adds one word to the draft. */
  extend(draft: Draft, author: Author): void
  /** Replaces the draft's first or last word. */
  vary(draft: Draft, author: Author): void
}

/** The probabilities of a phrase of three words and of two, and the number of words that there is room for. */
interface HeadChoice {
  triple: number
  pair: number
  room: number
}

const twoWords: HeadChoice = { ...model.twoWords, room: 2 }
const threeWords: HeadChoice = { ...model.threeWords, room: 3 }

/** The kinds of subjects that people have of their own in each topic. */
const subject = { word: 0, pair: 1, triple: 2, site: 3 }
const subjects = 4

/** Draws queries by the laws of `model`. */
export function createComposer(vocabulary: Vocabulary, seed: number): Composer {
  const { openings, joiners } = vocabulary
  const own = createOwnWords(vocabulary)
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
  const pageLaw = powerLaw(model.page)
  const misspellingLaw = powerLaw(model.misspelling)

  const misspell = (word: number, random: SeededStream) =>
    wordCode(kinds.misspelt, misspeltId(word, misspellingLaw(random.unit())))

  /**
   * A word to put next to another: one of the author's own; otherwise mostly one of its companions in the topic, or any
   * word.
   */
  const refinement = (topic: number, neighbour: WordCode, author: Author): WordCode => {
    const { random } = author
    if (own.wants(author, model.own.refinement)) return own.name(author)
    if (random.unit() < model.own.town) return own.town(author)
    const word =
      random.unit() < model.company.share
        ? texts.companion(topic, neighbour, companyLaw(random.unit()))
        : texts.refiner(topic, random.unit(), random.unit())
    return random.unit() < model.misspeltWord && word < dictionarySize ? misspell(word, random) : word
  }
  const refineAfter = (draft: Draft, author: Author) =>
    append(draft, refinement(draft.topic, draft.codes[draft.length - 1], author))
  const refineBefore = (draft: Draft, author: Author) => prepend(draft, refinement(draft.topic, draft.codes[0], author))

  /** Refines the draft to a length: Q+R, R+Q, or R+Q+R if two words or more are missing. */
  const refine = (draft: Draft, length: number, author: Author) => {
    while (draft.length < length) {
      const side = author.random.unit()
      if (side >= model.after) refineBefore(draft, author)
      if (side < model.after || (side >= model.after + model.before && draft.length < length))
        refineAfter(draft, author)
    }
  }

  const appendSite = (draft: Draft, author: Author) => {
    const { random } = author
    const { com, www, page } = model.siteForms
    let id: number
    if (own.wants(author, model.own.site)) {
      const site = own.site(author)
      draft.topic = site.topic
      id = site.id
    } else {
      const isFamous = random.unit() < model.famousShare
      if (isFamous) draft.topic = famousLaw(random.unit()) % vocabulary.topics
      const rank = isFamous ? 0 : siteLaw(own.unit(author, draft.topic * subjects + subject.site))
      id = siteId(draft.topic, rank)
      if (random.unit() < page && rank < sitesWithPages)
        return append(draft, wordCode(kinds.page, pageId(id, pageLaw(random.unit()))))
    }
    const form = random.unit()
    append(draft, wordCode(form < com ? kinds.siteCom : form < com + www ? kinds.siteWww : kinds.site, id))
  }

  const composeOne = (draft: Draft, author: Author) => {
    const { random } = author
    const { site, head, misspelt, own: ownName } = model.oneWord
    const { topic } = draft
    let share = random.unit() - site
    if (share < 0) return appendSite(draft, author)
    share -= head
    if (share < 0) return append(draft, headWord(topic, author))
    share -= misspelt
    if (share < 0) return append(draft, misspell(texts.topicWord(topic, random.unit()), random))
    share -= ownName
    append(draft, share < 0 ? own.name(author) : wordCode(kinds.coined, coinedLaw(random.unit())))
  }

  const headWord = (topic: number, author: Author) =>
    texts.headWord(topic, headLaw(own.unit(author, topic * subjects + subject.word)))
  const appendPair = (draft: Draft, author: Author) =>
    texts.appendPair(draft, pairLaw(own.unit(author, draft.topic * subjects + subject.pair)))
  const appendTriple = (draft: Draft, author: Author) =>
    texts.appendTriple(draft, tripleLaw(own.unit(author, draft.topic * subjects + subject.triple)))

  /** Begins a query with an own name, a phrase of three words or of two, or one word, as far as there is room. */
  const appendHead = (draft: Draft, { pair, triple, room }: HeadChoice, author: Author) => {
    if (own.wants(author, model.own.head)) return append(draft, own.name(author))
    const share = author.random.unit()
    if (share < triple && room >= 3) appendTriple(draft, author)
    else if (share < triple + pair && room >= 2) appendPair(draft, author)
    else append(draft, headWord(draft.topic, author))
  }

  /** Writes an opening, a phrase, and more of it joined on. The result is refined to the length afterwards. */
  const beginLong = (draft: Draft, length: number, author: Author) => {
    const { random } = author
    if (random.unit() < model.long.opening) {
      const row = openingLaw(random.unit())
      if (rowLength(openings, row) < length) appendRow(draft, openings, row)
    }
    appendHead(draft, { ...model.long, room: length - draft.length }, author)
    while (length - draft.length > 1 && random.unit() < model.long.joiner) {
      const row = joinerLaw(random.unit())
      if (draft.length + rowLength(joiners, row) >= length) break
      appendRow(draft, joiners, row)
      if (length - draft.length >= 2 && random.unit() < model.long.joinedPair) appendPair(draft, author)
      else refineAfter(draft, author)
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
    compose(draft, length, author) {
      draft.length = 0
      if (length === 1) return composeOne(draft, author)
      if (length > 3) beginLong(draft, length, author)
      else appendHead(draft, length === 2 ? twoWords : threeWords, author)
      refine(draft, length, author)
    },
    extend: (draft, author) => refine(draft, draft.length + 1, author),
    vary(draft, author) {
      const { codes, length, topic } = draft
      if (author.random.unit() < model.after) codes[length - 1] = refinement(topic, codes[length - 2], author)
      else codes[0] = refinement(topic, codes[1], author)
    },
  }
}
