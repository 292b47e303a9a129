import type { ClassifierModel } from "./model.ts"
import { stepTrie } from "./phrase-trie.ts"
import type { WordReadings } from "./word-readings.ts"

/** Parts of a query beyond this many are not looked at. */
export const mostParts = 32

/** Phrases of a query: parts [start, start + length) are the phrase. Arrays with `count` entries, written in place. */
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
 * Makes a function that finds the phrases of a query, given as its parts: the longest phrase that begins at each part, and of
 * those that overlap the longer, then the earlier. A phrase fits if each of its words is a form of the part in its place.
 */
export function spanFinder({ trie }: Pick<ClassifierModel, "trie">, readings: WordReadings) {
  const { formOffsets, forms, alone, opens } = readings
  const lengths = new Int32Array(mostParts)
  const phrases = new Int32Array(mostParts)
  const taken = new Uint8Array(mostParts)

  let bestLength = 0
  let bestPhrase = -1
  const extend = (parts: Int32Array, count: number, at: number, start: number, state: number) => {
    for (let f = formOffsets[parts[at]]; f < formOffsets[parts[at] + 1]; f++) {
      const next = stepTrie(trie, state, forms[f])
      if (next < 0) continue
      const phrase = trie.phraseAt[next]
      if (phrase >= 0 && at - start + 1 > bestLength) {
        bestLength = at - start + 1
        bestPhrase = phrase
      }
      if (at + 1 < count) extend(parts, count, at + 1, start, next)
    }
  }

  return (parts: Int32Array, count: number, spans: Spans): void => {
    let longest = 0
    for (let start = 0; start < count; start++) {
      bestPhrase = alone[parts[start]]
      bestLength = bestPhrase < 0 ? 0 : 1
      if (opens[parts[start]] === 1 && start + 1 < count) extend(parts, count, start, start, 0)
      lengths[start] = bestLength
      phrases[start] = bestPhrase
      if (bestLength > longest) longest = bestLength
    }
    taken.fill(0, 0, count)
    for (let length = longest > 1 ? longest : 0; length > 0; length--)
      for (let start = 0; start < count; start++) {
        if (lengths[start] !== length) continue
        let free = true
        for (let i = start; i < start + length; i++) if (taken[i] !== 0) free = false
        if (free) taken.fill(length, start, start + length)
        else lengths[start] = 0
      }
    spans.count = 0
    for (let start = 0; start < count; start += lengths[start] || 1) {
      if (lengths[start] === 0) continue
      spans.start[spans.count] = start
      spans.length[spans.count] = lengths[start]
      spans.phrase[spans.count++] = phrases[start]
    }
  }
}
