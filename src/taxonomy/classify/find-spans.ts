import type { ClassifierModel } from "./model.ts"
import { stepTrie } from "./phrase-trie.ts"
import { mostParts, type QueryParts } from "./query-parts.ts"
import type { WordReadings } from "./reading-list.ts"

/**
 * Phrases of a query: parts [start, start + length) form the phrase. The arrays have `count` entries and are written in
 * place.
 */
export interface Spans {
  count: number
  start: Int32Array
  length: Int32Array
  phrase: Int32Array
}

export const emptySpans = (): Spans => {
  const column = () => new Int32Array(mostParts)
  return { count: 0, start: column(), length: column(), phrase: column() }
}

/**
 * Makes a function that finds the phrases of a query whose parts have these readings. It takes the longest phrase that
 * begins at each part. Of phrases that overlap, it takes the longer, then the earlier. A phrase matches if each of its
 * words is a form of the part at its position.
 */
export function spanFinder({ trie }: Pick<ClassifierModel, "trie">, readings: WordReadings) {
  const lengths = new Int32Array(mostParts)
  const phrases = new Int32Array(mostParts)
  const taken = new Uint8Array(mostParts)

  let bestLength = 0
  let bestPhrase = -1
  const extend = (query: QueryParts, at: number, start: number, state: number) => {
    const { forms } = readings
    const { formsFrom, formsTo, count } = query
    for (let f = formsFrom[at]; f < formsTo[at]; f++) {
      const next = stepTrie(trie, state, forms[f])
      if (next < 0) continue
      const phrase = trie.phraseAt[next]
      if (phrase >= 0 && at - start + 1 > bestLength) {
        bestLength = at - start + 1
        bestPhrase = phrase
      }
      if (at + 1 < count) extend(query, at + 1, start, next)
    }
  }

  /** Finds the longest phrase that begins at each part. Returns the length of the longest of all. */
  const findLongest = (query: QueryParts): number => {
    const { count, alone, opens } = query
    let longest = 0
    for (let start = 0; start < count; start++) {
      bestPhrase = alone[start]
      bestLength = bestPhrase < 0 ? 0 : 1
      if (opens[start] === 1 && start + 1 < count) extend(query, start, start, 0)
      lengths[start] = bestLength
      phrases[start] = bestPhrase
      if (bestLength > longest) longest = bestLength
    }
    return longest
  }

  const isFree = (start: number, length: number): boolean => {
    for (let i = start; i < start + length; i++) if (taken[i] !== 0) return false
    return true
  }

  /** Of phrases that overlap, keeps the longer, then the earlier. */
  const dropOverlaps = (count: number, longest: number): void => {
    taken.fill(0, 0, count)
    for (let length = longest; length > 0; length--)
      for (let start = 0; start < count; start++) {
        if (lengths[start] !== length) continue
        if (isFree(start, length)) taken.fill(length, start, start + length)
        else lengths[start] = 0
      }
  }

  return (query: QueryParts, spans: Spans): void => {
    const { count } = query
    const longest = findLongest(query)
    if (longest > 1) dropOverlaps(count, longest)
    spans.count = 0
    for (let start = 0; start < count; start += lengths[start] || 1) {
      if (lengths[start] === 0) continue
      spans.start[spans.count] = start
      spans.length[spans.count] = lengths[start]
      spans.phrase[spans.count++] = phrases[start]
    }
  }
}
