import { PairTable } from "./pair-table.ts"

/** Texts as runs of words: text t is tokens[offsets[t], offsets[t + 1]), each token a number below `words`. */
export interface WordRuns {
  offsets: Uint32Array
  tokens: Int32Array
}

/**
 * Every place of every text, including its end, with its word and the two words before it. A text of n words has n + 1
 * places; the last is its end mark. Two begin marks precede its first word. Words are numbered 0 … words − 1, the end
 * mark is `words` and the begin mark is `words` + 1.
 */
export interface TrigramIndex {
  words: number
  /** Places of text t: [starts[t], starts[t + 1]). */
  starts: Uint32Array
  /** By place: the word, the pair that it ends and the triple that it ends. */
  word: Int32Array
  pair: Int32Array
  triple: Int32Array
  /** The contexts. By pair: its first word. By triple: the pair of its first two words. */
  pairContext: Int32Array
  tripleContext: Int32Array
  /** The number of a pair of words; -1 if no text has it. */
  findPair(first: number, second: number): number
  /** The number of the triple of a pair and the word after it; -1 if no text has it. */
  findTriple(pair: number, word: number): number
}

/** The number that represents the end of a text. */
export const endMark = (words: number) => words
/** The number that represents the beginning of a text. */
export const beginMark = (words: number) => words + 1

/** Numbers the pairs and triples of texts, including those with marks, in order of first appearance: O(tokens). */
export function indexTrigrams({ offsets, tokens }: WordRuns, { words }: { words: number }): TrigramIndex {
  const texts = offsets.length - 1
  const places = tokens.length + texts
  const starts = new Uint32Array(texts + 1)
  const [word, pair, triple] = [new Int32Array(places), new Int32Array(places), new Int32Array(places)]
  // A context is a pair too. (begin, begin) is the only pair that no place ends.
  const pairContext = new Int32Array(places + 1)
  const tripleContext = new Int32Array(places)
  const pairs = new PairTable({ expected: places >> 1 })
  const triples = new PairTable({ expected: places >> 1 })
  const begin = beginMark(words)
  pairs.intern(begin, begin, 0)
  pairContext[0] = begin
  let [pairCount, tripleCount, at] = [1, 0, 0]
  for (let text = 0; text < texts; text++) {
    starts[text] = at
    let [last, context] = [begin, 0]
    for (let i = offsets[text]; i <= offsets[text + 1]; i++, at++) {
      const next = i < offsets[text + 1] ? tokens[i] : endMark(words)
      word[at] = next
      pair[at] = pairs.intern(last, next, pairCount)
      if (pair[at] === pairCount) pairContext[pairCount++] = last
      triple[at] = triples.intern(context, next, tripleCount)
      if (triple[at] === tripleCount) tripleContext[tripleCount++] = context
      last = next
      context = pair[at]
    }
  }
  starts[texts] = at
  return {
    words,
    starts,
    word,
    pair,
    triple,
    pairContext: pairContext.slice(0, pairCount),
    tripleContext: tripleContext.slice(0, tripleCount),
    findPair: (first, second) => pairs.find(first, second),
    findTriple: (context, next) => triples.find(context, next),
  }
}
