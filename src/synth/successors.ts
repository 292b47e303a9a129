import { mixWords, type SeededStream, seededStream } from "../kernels/random.ts"
import type { Composer } from "./compose.ts"
import { copyDraft, type Draft, rowLength } from "./draft.ts"
import { model } from "./model.ts"
import { powerLaw } from "./power-law.ts"
import type { NumberRows, Vocabulary } from "./vocabulary.ts"
import { codeParts, kinds, misspeltWord, siteId, siteOfPage, siteParts, type WordCode, wordCode } from "./word-codes.ts"

/** What people usually search next. It is the same for everybody: it follows from the seed and the previous search. */
export interface Successors {
  /**
   * Writes one of the usual next searches to `draft`. Returns false if there is none; then the draft is meaningless.
   */
  follow(before: Draft, draft: Draft, random: SeededStream): boolean
}

/** Size of the first block. Ranks in a block are about equally likely. Each further block is twice as large. */
const smallest = 4

/**
 * A successor has as many words as the previous search, the same topic and about the same popularity, so that a log
 * keeps its shape. Words, phrases and sites that have a rank are exchanged one to one with others of their block. In
 * other queries, one word is changed, or the query is replaced by another on its topic, as the model draws it. The
 * numbers drawn depend on the query.
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
        return code // it is nobody else's, so there is no usual next search
      case kinds.page:
        return wordCode(kinds.siteWww, siteOfPage(id))
      case kinds.misspelt:
        return misspeltWord(id)
      case kinds.site:
      case kinds.siteCom:
      case kinds.siteWww: {
        const { topic, rank } = siteParts(id)
        if (rank > 0) return wordCode(kind, siteId(topic, 1 + move(rank - 1, model.site.size)))
        // After a well-known site, people go to another well-known site.
        draft.topic = moveWithin(topic, { size: topics, key: salt, place })
        return wordCode(kind, siteId(draft.topic, 0))
      }
      default:
        // Coined words, towns and numbers belong to no topic. Their ids are ranks among all of their kind.
        return wordCode(kind, moveWithin(id, { size: 2 ** 44, key: salt + kind, place }))
    }
  }

  /** Replaces a phrase in the topic's list by another of the list. */
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
        // These words belong to nobody: they are drawn as if by an author whose key belongs to the query.
        const author = { random: own, key: keyOf(draft, salt) }
        own.reseed(seed, author.key, place)
        if (own.unit() < model.successorVaries) composer.vary(draft, author)
        else composer.compose(draft, draft.length, author)
      }
      return !isSame(before, draft)
    },
  }
}

/**
 * Another rank of the same block. It is one to one for each place. Places give different ranks as far as the block has
 * others.
 */
function moveWithin(rank: number, { size, key, place }: { size: number; key: number; place: number }): number {
  const start = rank < smallest ? 0 : 2 ** Math.floor(Math.log2(rank))
  const length = Math.min(Math.max(smallest, start), size - start)
  if (length < 2) return rank
  const step = 1 + ((mixWords(key, start) + place) % (length - 1))
  return start + ((rank - start + step) % length)
}

/** The rank of a draft's words in its topic's row of phrases with as many words, or -1. */
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
