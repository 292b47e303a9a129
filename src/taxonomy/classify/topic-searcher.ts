import { normaliseQuery } from "../../text/normalise.ts"
import { pageSearcher } from "../pages/search-pages.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { emptySpans, type Spans, spanFinder } from "./find-spans.ts"
import { buildModel, type ClassifierModel } from "./model.ts"
import { mostParts, type QueryParts, takeWords } from "./query-parts.ts"
import { type Reading, wordReader } from "./read-words.ts"
import { listReadings } from "./reading-list.ts"
import { topicRetriever } from "./retrieve-topic.ts"
import { contextWorth, isContext, rememberWeights, senseWeigher } from "./weigh-senses.ts"
import { spanWeigher } from "./weigh-spans.ts"

/** A topic that a query may mean, and how likely it is compared with the others. */
export interface RelevantTopic {
  topic: number
  /** Above 0. Only ratios matter. */
  relevance: number
}

/** The topics of a query, and how they were found. */
export interface TopicsFound {
  /**
   * `pages`: by the pages of the taxonomy. Relevance is the number of a topic's pages that the query finds. `names`: by
   * what the query names, if the taxonomy has no pages or none is found. Relevances are then shares that add up to 1.
   */
  by: "pages" | "names"
  /** Number of pages found. */
  pages: number
  /** Most relevant first. Topics may overlap. */
  topics: RelevantTopic[]
}

/** Finds topics by text, one text at a time, for a server that answers one person. The model is loaded once. */
export interface TopicSearcher {
  readonly taxonomy: Taxonomy
  /** The topics that a query retrieves. Shou et al. 2014, §6.3. */
  findTopics(query: string): TopicsFound
  /** The words of a text that can distinguish topics, for `likelihood`. */
  wordsOf(text: string): Int32Array
  /**
   * Σ ln p(w | t) / p(w) over words: the discriminative naive Bayes of Shou et al. 2014, eq. 17, as `senseWeigher`
   * computes it.
   */
  likelihood(topic: number, words: Int32Array): number
}

/** Maximum number of words of a text. Further words are ignored. */
const mostWords = 512
const mostContext = 3
const mostKnown = 1 << 15
/** Topics with a smaller share are left out: rare senses of a word that adds little. */
const leastShare = 0.02

/**
 * If a taxonomy has pages, a topic's relevance is the number of its pages that the query finds (§6.3). In a taxonomy
 * without pages, such as WordNet, every topic has a single text, and all counts would be 1. There, and if no page is
 * found, every phrase of the query gives its worth to the topics that it names. The worth is shared by how common each
 * sense is and by what the other words say of it. This is how the classifier decides, except that all senses are kept.
 * A query that names nothing retrieves the topic whose texts have most of its words.
 */
export function topicSearcher(taxonomy: Taxonomy): TopicSearcher {
  const model = buildModel(taxonomy)
  const read = remember(wordReader(model))
  const weigh = rememberWeights(senseWeigher(model))
  const retrieve = topicRetriever(model)
  const readText = (text: string, most: number) => normaliseQuery(text).split(" ", most).filter(Boolean).map(read)

  const search = taxonomy.columns.pages === undefined ? undefined : pageSearcher(taxonomy.columns.pages)

  const namedTopics = (query: string) => {
    const readings = listReadings(readText(query, mostParts), model)
    const parts = takeWords(readings)
    const spans = emptySpans()
    spanFinder(model, readings)(parts, spans)
    if (spans.count > 0) return nameTopics({ model, parts, spans, weigh })
    const topic = retrieve(parts.context, parts.count)
    return topic > 0 ? [{ topic, relevance: 1 }] : []
  }
  const findTopics = (query: string): TopicsFound => {
    const found = search?.(query)
    const topics = found?.topics.filter(({ topic }) => topic > 0) ?? []
    if (found === undefined || topics.length === 0) return { by: "names", pages: 0, topics: namedTopics(query) }
    return { by: "pages", pages: found.pages, topics: topics.map(({ topic, pages }) => ({ topic, relevance: pages })) }
  }
  return {
    taxonomy,
    findTopics,
    wordsOf: (text) => {
      const words: number[] = []
      for (const { context } of readText(text, mostWords))
        for (const word of context) if (isContext(model, word)) words.push(word)
      return Int32Array.from(words)
    },
    likelihood: (topic, words) => {
      let sum = 0
      for (const word of words) sum += weigh(topic, word)
      return sum
    },
  }
}

/** Caches the readings of words: the results of a search share most of theirs. */
function remember(read: (word: string) => Reading): (word: string) => Reading {
  const known = new Map<string, Reading>()
  return (word) => {
    const found = known.get(word)
    if (found !== undefined) return found
    if (known.size >= mostKnown) known.clear()
    const reading = read(word)
    known.set(word, reading)
    return reading
  }
}

interface FoundSpans {
  model: ClassifierModel
  parts: QueryParts
  spans: Spans
  weigh: (topic: number, word: number) => number
}

function nameTopics(found: FoundSpans): RelevantTopic[] {
  const { model, parts, spans, weigh } = found
  const { senseOffsets, senses, prior } = model
  const { findHead, worthOf } = spanWeigher(model, parts, spans)
  const head = spans.count > 1 ? findHead() : 0
  const shares = new Map<number, number>()
  for (let span = 0; span < spans.count; span++) {
    const worth = Math.max(0.1, worthOf(span, span === head))
    const [from, to] = [senseOffsets[spans.phrase[span]], senseOffsets[spans.phrase[span] + 1]]
    const others = contextOf(found, span)
    const scores = Float64Array.from({ length: to - from }, (_, i) => {
      let score = prior[from + i]
      for (const word of others) score += contextWorth * weigh(senses[from + i], word)
      return score
    })
    const most = Math.max(...scores)
    const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0)
    scores.forEach((score, i) => {
      const topic = senses[from + i]
      shares.set(topic, (shares.get(topic) ?? 0) + (worth * Math.exp(score - most)) / total)
    })
  }
  return largestShares(shares)
}

/** The first words outside a phrase that may distinguish its senses. */
function contextOf({ model, parts, spans }: FoundSpans, span: number): number[] {
  const start = spans.start[span]
  const stop = start + spans.length[span]
  const words: number[] = []
  for (let at = 0; at < parts.count && words.length < mostContext; at++) {
    const word = parts.context[at]
    if ((at < start || at >= stop) && isContext(model, word)) words.push(word)
  }
  return words
}

function largestShares(shares: ReadonlyMap<number, number>): RelevantTopic[] {
  const sum = (weights: Iterable<number>) => [...weights].reduce((total, weight) => total + weight, 0)
  const all = sum(shares.values())
  const kept = [...shares].filter(([topic, weight]) => topic > 0 && weight >= leastShare * all)
  const total = sum(kept.map(([, weight]) => weight))
  return kept
    .map(([topic, weight]) => ({ topic, relevance: weight / total }))
    .sort((a, b) => b.relevance - a.relevance || a.topic - b.topic)
}
