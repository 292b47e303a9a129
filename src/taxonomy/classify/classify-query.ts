import { emptySpans, mostParts, spanFinder } from "./find-spans.ts"
import { type ClassifierModel, wordKind } from "./model.ts"
import { topicRetriever } from "./retrieve-topic.ts"
import { isContext, senseWeigher } from "./weigh-senses.ts"
import type { WordReadings } from "./word-readings.ts"

/** What a phrase is worth in the competition, in the unit of a word's information (a natural logarithm). */
const worth = {
  /** Each word of a phrase after its first. */
  anotherWord: 4,
  /** The last phrase before a preposition: the head of the query. */
  head: 3,
  /** A place beside something that is none. */
  place: -4,
  /** Words that say little keep so much of their information. */
  little: 0.1,
  /** Likely the name of a person: a given name and a word that is not known. */
  name: 9,
  /** Of two or more context words that fit one sense. */
  context: 0.5,
} as const
/** A sense in which a given name is a person gains so much. */
const namesake = 2
const mostContext = 4

/** Of a query given as parts: its topic, or -1. */
export type QueryClassifier = (parts: Int32Array, count: number) => number

/**
 * Makes the function that decides. Phrases compete by how long they are, how much their words say and whether they are the
 * head; the winner's sense is chosen by the other words and by how common the sense is.
 */
export function queryClassifier(model: ClassifierModel, readings: WordReadings): QueryClassifier {
  const { kind, info, place, senseOffsets, senses, prior, person, end } = model
  const { formOffsets, forms, context } = readings
  const find = spanFinder(model, readings)
  const weigh = senseWeigher(model)
  const retrieve = topicRetriever(model)
  const spans = emptySpans()
  const words = new Int32Array(mostParts)

  const kindOf = (part: number) => {
    const first = formOffsets[part] < formOffsets[part + 1] ? kind[forms[formOffsets[part]]] : 0
    return context[part] >= 0 ? first | kind[context[part]] : first
  }
  const isUnknown = (part: number) => formOffsets[part] === formOffsets[part + 1]

  /** The head is the last phrase of the first run of words without a function word that has a phrase which says something. */
  const findHead = (parts: Int32Array, count: number) => {
    let head = -1
    let span = 0
    for (let at = 0; at < count; at++) {
      while (span < spans.count && spans.start[span] + spans.length[span] <= at) span++
      const inside = span < spans.count && spans.start[span] <= at
      if (!inside) {
        if (head >= 0 && (kindOf(parts[at]) & wordKind.functionWord) !== 0) return head
      } else if (spanWorth(parts, span, 0) > 3) head = span
    }
    return head
  }

  const spanWorth = (parts: Int32Array, span: number, bonus: number) => {
    const { start, length, phrase } = spans
    let most = 0
    let little = true
    for (let i = start[span]; i < start[span] + length[span]; i++) {
      const word = context[parts[i]]
      most = Math.max(most, word < 0 ? 0 : Math.min(10, info[word]))
      if ((kindOf(parts[i]) & (wordKind.little | wordKind.functionWord)) === 0) little = false
    }
    let value = most + worth.anotherWord * (length[span] - 1) + bonus
    if (little) value *= worth.little
    return place[senses[senseOffsets[phrase[span]]]] === 1 ? value + worth.place : value
  }

  /** A given name, then a word that is not known. */
  const findName = (parts: Int32Array, count: number) => {
    for (let at = 0; at + 1 < count; at++)
      if ((kindOf(parts[at]) & wordKind.givenName) !== 0 && isUnknown(parts[at + 1])) return at
    return -1
  }

  const chooseSense = (parts: Int32Array, count: number, span: number) => {
    const phrase = spans.phrase[span]
    const from = senseOffsets[phrase]
    const to = senseOffsets[phrase + 1]
    if (to - from === 1) return senses[from]
    const [start, stop] = [spans.start[span], spans.start[span] + spans.length[span]]
    let held = 0
    for (let at = 0; at < count && held < mostContext; at++)
      if ((at < start || at >= stop) && isContext(model, context[parts[at]])) words[held++] = context[parts[at]]
    const isName = stop - start === 1 && (kindOf(parts[start]) & wordKind.givenName) !== 0
    let best = senses[from]
    let bestScore = Number.NEGATIVE_INFINITY
    for (let i = from; i < to; i++) {
      let score = prior[i]
      if (isName && person >= 0 && senses[i] >= person && senses[i] < end[person]) score += namesake
      for (let j = 0; j < held; j++) score += worth.context * weigh(senses[i], words[j])
      if (score > bestScore) {
        best = senses[i]
        bestScore = score
      }
    }
    return best
  }

  return (parts, count) => {
    find(parts, count, spans)
    let best = -1
    let bestWorth = 0
    if (spans.count > 0) {
      const head = findHead(parts, count)
      for (let span = 0; span < spans.count; span++) {
        const value = spanWorth(parts, span, span === head ? worth.head : 0)
        if (best < 0 || value >= bestWorth) {
          best = span
          bestWorth = value
        }
      }
    }
    if (person >= 0 && bestWorth < worth.name && findName(parts, count) >= 0) return person
    if (best >= 0) return chooseSense(parts, count, best)
    for (let at = 0; at < count; at++) words[at] = context[parts[at]]
    return retrieve(words, count)
  }
}
