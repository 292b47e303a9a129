import { mixWords } from "../kernels/random.ts"
import { append, appendItems, type Draft, rowLength } from "./draft.ts"
import { model } from "./model.ts"
import { type PowerLawOptions, powerLaw } from "./power-law.ts"
import { mostTopicWords, type Vocabulary } from "./vocabulary.ts"
import { kinds, type WordCode, wordCode } from "./word-codes.ts"

/** What the ranks of a topic represent. It is the same for every user, because it follows from the seed by hashing. */
export interface TopicTexts {
  /** The word of a topic that belongs to a uniform number. */
  topicWord(topic: number, unit: number): WordCode
  /** The word at a rank of a topic: first its own words, then coined ones. */
  headWord(topic: number, rank: number): WordCode
  /** Appends the phrase of two (or three) words at a rank of the draft's topic. */
  appendPair(draft: Draft, rank: number): void
  appendTriple(draft: Draft, rank: number): void
  /** The companion of a word at a rank, in a topic. */
  companion(topic: number, neighbour: WordCode, rank: number): WordCode
  /** A refining word. Two uniform numbers select its kind and the word. */
  refiner(topic: number, kind: number, unit: number): WordCode
}

export const boundedLaw = (law: Omit<PowerLawOptions, "size">, size: number) => powerLaw({ ...law, size })

export function createTopicTexts(vocabulary: Vocabulary, seed: number): TopicTexts {
  const { topicWords, pairs, triples, modifiersFrom, modifiersTo, given, joiners, aboutPersons } = vocabulary
  const salt = mixWords(seed, Math.floor(seed / 2 ** 32) + 7)
  const topicWordLaw = boundedLaw(model.topicWord, mostTopicWords)
  const modifierLaw = boundedLaw(model.modifier, modifiersTo - modifiersFrom)
  const headLaw = powerLaw(model.headWord)
  const pairLaw = powerLaw(model.pair)
  const coinedLaw = powerLaw(model.coined)
  const townLaw = powerLaw(model.town)
  const numberLaw = powerLaw(model.number)

  const keyOf = (topic: number, rank: number) =>
    mixWords(mixWords(salt, topic), mixWords(rank % 2 ** 32, rank / 2 ** 32))
  /** A uniform number that belongs to a key. */
  const unitOf = (key: number, part: number) => mixWords(key, part) / 2 ** 32
  const coinedBy = (a: number, b: number) => wordCode(kinds.coined, mixWords(a, b) + (mixWords(b, a) & 0xfff) * 2 ** 32)
  const coined = (unit: number) => wordCode(kinds.coined, coinedLaw(unit))
  const modifier = (unit: number) => modifiersFrom + modifierLaw(unit)
  const joiner = (unit: number) => joiners.items[Math.floor(unit ** 2 * 5)]
  // The lists of most topics are shorter than the law's range. Ranks past the end start over.
  const topicWord = (topic: number, unit: number) =>
    topicWords.items[topicWords.offsets[topic] + (topicWordLaw(unit) % rowLength(topicWords, topic))]
  const headWord = (topic: number, rank: number) =>
    rank < rowLength(topicWords, topic)
      ? topicWords.items[topicWords.offsets[topic] + rank]
      : coinedBy(keyOf(topic, rank), topic)

  /** First the phrases that name the topic's parts, then phrases that follow from a hash. */
  const appendPair = (draft: Draft, rank: number) => {
    const { topic } = draft
    if (rank * 2 < rowLength(pairs, topic))
      return appendItems(draft, pairs.items, { from: pairs.offsets[topic] + rank * 2, count: 2 })
    const key = keyOf(topic, rank)
    const first = unitOf(key, 1)
    const second = unitOf(key, 2)
    const shape = key % 16
    if (shape < 6) append(draft, topicWord(topic, first))
    else if (shape < 10) append(draft, modifier(first))
    else if (shape < 13 && aboutPersons[topic] === 1) append(draft, given[Math.floor(first ** 2 * given.length)])
    else if (shape < 15) append(draft, topicWord(topic, first))
    else append(draft, coined(first))
    if (shape < 10 || shape === 15) append(draft, topicWord(topic, second))
    else if (shape < 13)
      append(draft, coined(second)) // the name of a person or of something else
    else append(draft, modifier(second))
  }

  const appendTriple = (draft: Draft, rank: number) => {
    const { topic } = draft
    if (rank * 3 < rowLength(triples, topic))
      return appendItems(draft, triples.items, { from: triples.offsets[topic] + rank * 3, count: 3 })
    const key = mixWords(keyOf(topic, rank), 3)
    const shape = key % 8
    if (shape >= 3) append(draft, modifier(unitOf(key, 3)))
    if (shape < 6) appendPair(draft, pairLaw(unitOf(key, 4)))
    if (shape < 3) append(draft, modifier(unitOf(key, 3)))
    if (shape < 6) return
    append(draft, joiner(unitOf(key, 5)))
    append(draft, topicWord(topic, unitOf(key, 6)))
  }

  const refiner = (topic: number, kind: number, unit: number): WordCode => {
    const shares = model.refinement
    let left = kind - shares.modifier
    if (left < 0) return modifier(unit)
    left -= shares.topicWord
    if (left < 0) return topicWord(topic, unit)
    left -= shares.town
    if (left < 0) return wordCode(kinds.town, townLaw(unit))
    left -= shares.coined
    if (left < 0) return coined(unit)
    left -= shares.number
    if (left < 0) return wordCode(kinds.number, numberLaw(unit))
    return headWord(topic, headLaw(unit))
  }

  const companion = (topic: number, neighbour: WordCode, rank: number) => {
    const key = mixWords(keyOf(topic, rank), neighbour % 2 ** 32)
    return refiner(topic, unitOf(key, 8), unitOf(key, 9))
  }

  return { topicWord, headWord, appendPair, appendTriple, companion, refiner }
}
