import { emptySpans, spanFinder } from "./find-spans.ts"
import { type ClassifierModel, wordKind } from "./model.ts"
import { mostParts, type QueryParts } from "./query-parts.ts"
import type { WordReadings } from "./reading-list.ts"
import { topicRetriever } from "./retrieve-topic.ts"
import { taughtTopics } from "./taught-topics.ts"
import { contextWorth, isContext, senseWeigher } from "./weigh-senses.ts"
import { spanWeigher } from "./weigh-spans.ts"

/** Other weights in the competition of phrases, in units of a word's information (a natural logarithm). */
const worth = {
  /** The query is likely a person's name: a given name and an unknown word. */
  name: 9,
  /** Weights of the lexicon's score of a topic, and of a phrase's worth, if there is a lexicon. */
  taught: 0.4,
  phrase: 0.6,
  /** Worth of a topic that no phrase of the query names. */
  topic: 4,
} as const
/** Bonus for a sense of a given name that is a person. */
const namesake = 2
const mostContext = 3

/**
 * Makes the function that classifies the query in `query`: it returns its topic, or -1. Phrases compete by their
 * length, by how much their words say, and by whether they are the head. The winner's sense is chosen by the other
 * words and by how common the sense is.
 */
export function queryClassifier(model: ClassifierModel, readings: WordReadings, query: QueryParts): () => number {
  const { senseOffsets, senses, prior, person, end } = model
  const { formsFrom, formsTo, context, kinds } = query
  const find = spanFinder(model, readings)
  const weigh = senseWeigher(model)
  const retrieve = topicRetriever(model)
  const lexicon = taughtTopics(model)
  const spans = emptySpans()
  const { findHead, worthOf } = spanWeigher(model, query, spans)
  const words = new Int32Array(mostParts)
  let chosen = -1
  let isTaught = false

  /** True if the query has a given name followed by an unknown word. */
  const hasName = () => {
    for (let at = 0; at + 1 < query.count; at++)
      if ((kinds[at] & wordKind.givenName) !== 0 && formsFrom[at + 1] === formsTo[at + 1]) return true
    return false
  }

  /** Puts the first context words outside [start, stop) into `words`, and returns their number. */
  const gatherContext = (start: number, stop: number) => {
    let held = 0
    for (let at = 0; at < query.count && held < mostContext; at++)
      if ((at < start || at >= stop) && isContext(model, context[at])) words[held++] = context[at]
    return held
  }

  /** Score of a sense: how common it is, what the context words and the lexicon say about it. */
  const scoreSense = (i: number, held: number, isName: boolean) => {
    let score = prior[i]
    if (isName && person >= 0 && senses[i] >= person && senses[i] < end[person]) score += namesake
    for (let j = 0; j < held; j++) score += contextWorth * weigh(senses[i], words[j])
    return isTaught ? score + worth.taught * lexicon.score(senses[i]) : score
  }

  /** Chooses the best sense of a phrase, stores it in `chosen`, and returns its score. */
  const chooseSense = (span: number) => {
    const phrase = spans.phrase[span]
    const from = senseOffsets[phrase]
    const to = senseOffsets[phrase + 1]
    const start = spans.start[span]
    const stop = start + spans.length[span]
    const held = to - from > 1 ? gatherContext(start, stop) : 0
    const isName = stop - start === 1 && (kinds[start] & wordKind.givenName) !== 0
    chosen = senses[from] // the likeliest, if nothing distinguishes them
    if (held === 0 && !isName && !isTaught) return prior[from]
    let bestScore = Number.NEGATIVE_INFINITY
    for (let i = from; i < to; i++) {
      const score = scoreSense(i, held, isName)
      if (score > bestScore) {
        chosen = senses[i]
        bestScore = score
      }
    }
    return bestScore
  }

  /** With a lexicon: the best topic among the senses of the phrases and the topics of the lexicon, or -1. */
  const chooseTaught = (head: number) => {
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    for (let span = 0; span < spans.count; span++) {
      const score = worth.phrase * worthOf(span, span === head) + chooseSense(span)
      if (score < bestScore) continue
      best = chosen
      bestScore = score
    }
    for (let i = 0; i < lexicon.count(); i++) {
      const score = worth.phrase * worth.topic + worth.taught * lexicon.score(lexicon.topics[i])
      if (score <= bestScore) continue
      best = lexicon.topics[i]
      bestScore = score
    }
    return best
  }

  return () => {
    find(query, spans)
    isTaught = lexicon.weigh(query.taught, query.known)
    const head = spans.count > 1 ? findHead() : 0
    if (isTaught) return chooseTaught(head)
    let best = -1
    let bestWorth = Number.NEGATIVE_INFINITY
    for (let span = 0; span < spans.count; span++) {
      const value = worthOf(span, span === head)
      if (value < bestWorth) continue
      best = span
      bestWorth = value
    }
    if (person >= 0 && bestWorth < worth.name && hasName()) return person
    if (best >= 0) {
      chooseSense(best)
      return chosen
    }
    return retrieve(context, query.count)
  }
}
