import { mixWords, type SeededStream, seededStream } from "../kernels/random.ts"
import type { Composer } from "./compose.ts"
import { copyDraft, type Draft, rowLength } from "./draft.ts"
import { model } from "./model.ts"
import { powerLaw } from "./power-law.ts"
import type { NumberRows, Vocabulary } from "./vocabulary.ts"
import { codeParts, kinds, misspeltWord, siteId, siteOfPage, siteParts, type WordCode, wordCode } from "./word-codes.ts"

/** What people usually search next, the same for all of them: it follows from the seed and the search before. */
export interface Successors {
  /** One of the usual next searches after another, in `draft`; false if there is none, and then the draft means nothing. */
  follow(before: Draft, draft: Draft, random: SeededStream): boolean
}

/** Ranks that are about as likely as one another stand in one block: four, then twice as many each time. */
const smallest = 4

/**
 * A successor has as many words as the search before, is on its topic and is about as popular, so that a log keeps its shape:
 * words, phrases and sites that have a rank change places with others of their block, one to one; other queries have a
 * word changed, or make room for another on their topic, as the model draws them, by numbers that belong to the query.
 */
export function createSuccessors(vocabulary: Vocabulary, composer: Composer, seed: number): Successors {
  const { topics, topicWords, pairs, triples } = vocabulary
  const salt = mixWords(seed ^ 0x6e657874, Math.floor(seed / 2 ** 32))
  const placeLaw = powerLaw(model.successor)
  const own = seededStream()

  const followWord = (draft: Draft, place: number): WordCode => {
    const code = draft.codes[0]
    const { kind, id } = codeParts(code)
    const move = (rank: number, size: number) =>
      moveWithin(rank, { size, key: mixWords(salt + kind, draft.topic), place })
    switch (kind) {
      case kinds.dictionary: {
        const rank = findPhrase(topicWords, draft)
        return rank < 0
          ? code
          : topicWords.items[topicWords.offsets[draft.topic] + move(rank, rowLength(topicWords, draft.topic))]
      }
      case kinds.own:
        return code // nobody else's, so there is nothing that people usually search next
      case kinds.page:
        return wordCode(kinds.siteWww, siteOfPage(id))
      case kinds.misspelt:
        return misspeltWord(id)
      case kinds.site:
      case kinds.siteCom:
      case kinds.siteWww: {
        const { topic, rank } = siteParts(id)
        if (rank > 0) return wordCode(kind, siteId(topic, 1 + move(rank - 1, model.site.size)))
        // Who has been to a site that everybody knows goes to another such.
        draft.topic = moveWithin(topic, { size: topics, key: salt, place })
        return wordCode(kind, siteId(draft.topic, 0))
      }
      default:
        // Made-up words, towns and numbers belong to no topic: their ids are ranks among all of their kind.
        return wordCode(kind, moveWithin(id, { size: 2 ** 44, key: salt + kind, place }))
    }
  }

  /** A phrase that stands in the topic's list becomes another of them. */
  const followPhrase = (draft: Draft, place: number): boolean => {
    const { topic, length, codes } = draft
    if (length > 3) return false
    const phrases = length === 2 ? pairs : triples
    const rank = findPhrase(phrases, draft)
    if (rank < 0) return false
    const size = rowLength(phrases, topic) / length
    const from =
      phrases.offsets[topic] + length * moveWithin(rank, { size, key: mixWords(salt + length, topic), place })
    for (let i = 0; i < length; i++) codes[i] = phrases.items[from + i]
    return true
  }

  return {
    follow(before, draft, random) {
      const place = placeLaw(random.unit())
      copyDraft(before, draft)
      if (draft.length === 1) draft.codes[0] = followWord(draft, place)
      else if (!followPhrase(draft, place)) {
        // Nobody's words: as if somebody wrote it whose key belongs to the query.
        const author = { random: own, key: keyOf(draft, salt) }
        own.reseed(seed, author.key, place)
        if (own.unit() < model.successorVaries) composer.vary(draft, author)
        else composer.compose(draft, draft.length, author)
      }
      return !isSame(before, draft)
    },
  }
}

/** Another rank of the same block; one to one for a place, and for each place another as far as the block has others. */
function moveWithin(rank: number, { size, key, place }: { size: number; key: number; place: number }): number {
  const start = rank < smallest ? 0 : 2 ** Math.floor(Math.log2(rank))
  const length = Math.min(Math.max(smallest, start), size - start)
  if (length < 2) return rank
  const step = 1 + ((mixWords(key, start) + place) % (length - 1))
  return start + ((rank - start + step) % length)
}

/** The rank of a draft's words in its topic's row of phrases that have as many words, or -1. */
function findPhrase({ items, offsets }: NumberRows, { topic, codes, length }: Draft): number {
  for (let at = offsets[topic], rank = 0; at < offsets[topic + 1]; at += length, rank++) {
    let same = 0
    while (same < length && items[at + same] === codes[same]) same++
    if (same === length) return rank
  }
  return -1
}

function keyOf({ codes, length, topic }: Draft, salt: number): number {
  let key = mixWords(salt, topic)
  for (let i = 0; i < length; i++) key = mixWords(mixWords(key, codes[i] % 2 ** 32), codes[i] / 2 ** 32)
  return key
}

function isSame(a: Draft, b: Draft): boolean {
  for (let i = 0; i < a.length; i++) if (a.codes[i] !== b.codes[i]) return false
  return a.length === b.length
}
