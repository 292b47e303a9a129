import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type GlossColumns, glossWords, nameWorth, postingsOfPrefix } from "./engines/gloss-index.ts"

/** How a search for topics ranks. */
export interface FindTopicsOptions {
  /** Most topics. */
  count: number
  /** A person's support of a topic: of equal matches, those with more come first. */
  supportOf?: (topic: number) => number
}

/** Names of so many topics are compared with what was typed; a letter or two begins words of many more. */
const mostCompared = 1000

/**
 * Finds topics by the beginnings of words of their names and texts; every word must be there. Topics of exactly that name come
 * first, then names that begin with it, names that have all words, and the rest. Within these, the order is by the person's
 * support, then by the size of the topic's subtree.
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
 * Topics that have every word, or one that begins with it, and how well by the index alone: of the worst word, 2 for being in the
 * name and 1 for being whole.
 */
function topicsWithWords(size: number, { topic, weight, ...columns }: GlossColumns) {
  /** One more than the level, so that 0 says that a word is not there: of this word, and of all words so far. */
  const [here, all] = [new Uint8Array(size), new Uint8Array(size)]
  return (words: readonly string[]): { topic: number; level: number }[] => {
    let found: number[] = []
    for (const [i, word] of words.entries()) {
      const { from, exact, to } = postingsOfPrefix({ topic, weight, ...columns }, word)
      const hits: number[] = []
      for (let at = from; at < to; at++) {
        const id = topic[at]
        if (i > 0 && all[id] === 0) continue
        if (here[id] === 0) hits.push(id)
        here[id] = Math.max(here[id], 1 + (weight[at] >= nameWorth ? 2 : 0) + (at < exact ? 1 : 0))
      }
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

/** 3: the name is exactly these words. 2: it begins with them. 1: it has them. 0: the text has. */
function nameLevel(name: string, words: readonly string[]): number {
  const own = glossWords(name.replaceAll("_", " "))
  const last = words.length - 1
  if (words.every((word, i) => (i < last ? own[i] === word : own[i]?.startsWith(word))))
    return own.length === words.length && own[last] === words[last] ? 3 : 2
  return words.every((word) => own.some((part) => part.startsWith(word))) ? 1 : 0
}
