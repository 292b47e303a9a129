import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type GlossColumns, glossWords, nameWorth, postingsOfPrefix } from "./engines/gloss-index.ts"

/** Options of a search for topics. */
export interface FindTopicsOptions {
  /** Maximum number of topics. */
  count: number
  /** A person's support of a topic. Among equal matches, topics with more support come first. */
  supportOf?: (topic: number) => number
}

/**
 * Maximum number of topics whose names are compared with the typed text. One or two letters match the words of many
 * more.
 */
const mostCompared = 1000

/**
 * Finds topics by prefixes of words in their names and texts. Every word must match. Topics with exactly that name come
 * first, then names that begin with it, then names that have all words, then the rest. Within each of these groups,
 * topics are ordered by the person's support, then by the size of the topic's subtree.
 */
export function topicFinder(taxonomy: Taxonomy, columns: GlossColumns) {
  const matching = topicsWithWords(taxonomy.size, columns)
  return (text: string, { count, supportOf = () => 0 }: FindTopicsOptions): number[] => {
    const words = [...new Set(glossWords(text).slice(0, 16))]
    const candidates = matching(words).map(({ topic, level }) => {
      return { topic, level, own: supportOf(topic), size: taxonomy.support[topic] }
    })
    const byWeight = (one: Candidate, other: Candidate) =>
      other.own - one.own || other.size - one.size || one.topic - other.topic
    return candidates
      .sort((one, other) => other.level - one.level || byWeight(one, other))
      .slice(0, mostCompared)
      .map((candidate) => ({ ...candidate, level: nameLevel(taxonomy.name(candidate.topic), words) }))
      .sort((one, other) => other.level - one.level || byWeight(one, other))
      .slice(0, count)
      .map(({ topic }) => topic)
  }
}

interface Candidate {
  topic: number
  own: number
  size: number
}

/**
 * Topics in which every word matches a whole word or a prefix, with a level from the index alone. The level is that of
 * the worst word: 2 for a match in the name plus 1 for a whole word.
 */
function topicsWithWords(size: number, { topic, weight, ...columns }: GlossColumns) {
  /** Level + 1, for this word and for all words so far. 0 means that a word does not match. */
  const [here, all] = [new Uint8Array(size), new Uint8Array(size)]
  /** Finds the topics that match a word, among those that match all earlier words, and sets their level in `here`. */
  const matchWord = (word: string, isFirst: boolean): number[] => {
    const { from, exact, to } = postingsOfPrefix({ topic, weight, ...columns }, word)
    const hits: number[] = []
    for (let at = from; at < to; at++) {
      const id = topic[at]
      if (!isFirst && all[id] === 0) continue
      if (here[id] === 0) hits.push(id)
      here[id] = Math.max(here[id], 1 + (weight[at] >= nameWorth ? 2 : 0) + (at < exact ? 1 : 0))
    }
    return hits
  }
  return (words: readonly string[]): { topic: number; level: number }[] => {
    let found: number[] = []
    for (const [i, word] of words.entries()) {
      const hits = matchWord(word, i === 0)
      for (const id of found) all[id] = Math.min(all[id], here[id])
      if (i === 0) for (const id of hits) all[id] = here[id]
      for (const id of hits) here[id] = 0
      found = hits
    }
    const levels = found.map((id) => ({ topic: id, level: all[id] - 1 }))
    for (const id of found) all[id] = 0
    return levels
  }
}

/** 3: the name is exactly these words. 2: it begins with them. 1: it has them. 0: only the text has them. */
function nameLevel(name: string, words: readonly string[]): number {
  const own = glossWords(name.replaceAll("_", " "))
  const last = words.length - 1
  if (words.every((word, i) => (i < last ? own[i] === word : own[i]?.startsWith(word))))
    return own.length === words.length && own[last] === words[last] ? 3 : 2
  return words.every((word) => own.some((part) => part.startsWith(word))) ? 1 : 0
}
