import { baseForms } from "./base-forms.ts"
import { findNoun, foldToAscii, withoutStops } from "./lemmatise.ts"
import type { WordNet } from "./wordnet.ts"

/** words[start, start + length) are a form of the noun `lemma`. */
export interface NounSpan {
  start: number
  length: number
  lemma: number
}

export type NounFinder = (words: readonly string[]) => NounSpan[]

export interface NounFinderOptions {
  /**
   * Words that are no noun by themselves: WordNet has `in` as the inch, `us` as a country and `who` as an organisation.
   * They may still be part of a phrase that WordNet has as it is written (`the hague`, `house of cards`).
   */
  skip?: (word: string) => boolean
}

/** Words whose look-up is remembered; the words of a log are few and come again and again. */
const remembered = 1 << 16

/**
 * Makes a function that finds the nouns of a query, given as normalised words, from left to right: at each word the
 * longest phrase that `findNoun` knows, then on behind it. Spans do not overlap.
 *
 * A table from the first one and two words of phrases to the length of their longest keeps look-ups of phrases rare.
 */
export function createNounFinder(wordnet: WordNet, options: NounFinderOptions = {}): NounFinder {
  const skip = options.skip ?? (() => false)
  const longest = longestPhrases(wordnet)
  const nouns = new Map<string, number>()

  const findWord = (word: string) => {
    const known = nouns.get(word)
    if (known !== undefined) return known
    if (nouns.size === remembered) nouns.clear()
    const lemma = skip(word) ? -1 : findNoun(wordnet, word)
    nouns.set(word, lemma)
    return lemma
  }

  /** A phrase that begins with a skipped word is taken only as it is written: `degree in law` has no `in-law`. */
  const findPhrase = (words: readonly string[]) =>
    skip(words[0]) ? wordnet.find(words.join(" "), "noun") : findNoun(wordnet, words.join(" "))

  /** No phrase that begins with these two words is longer. The first may be a plural: `attorneys general`. */
  const boundPhrase = (first: string, second: string): number => {
    const start = firstPart(first)
    const next = firstPart(start.length < first.length ? first.slice(start.length + 1) : second)
    let bound = 1
    for (const base of [start, ...baseForms(start, "noun")])
      if (longest.has(base)) bound = Math.max(bound, 2, longest.get(`${base} ${next}`) ?? 2)
    const dotted = first.includes(".") || second.includes(".")
    return dotted ? Math.max(bound, boundPhrase(withoutStops(first), withoutStops(second))) : bound
  }

  return (given) => {
    const words = given.map(foldToAscii)
    const spans: NounSpan[] = []
    for (let start = 0; start < words.length; ) {
      let lemma = -1
      let length = 1
      if (start + 1 < words.length) {
        length = Math.min(words.length - start, boundPhrase(words[start], words[start + 1]))
        for (; length > 1 && lemma < 0; length--) lemma = findPhrase(words.slice(start, start + length))
        if (lemma >= 0) length++
      }
      if (lemma < 0) lemma = findWord(words[start])
      if (lemma >= 0) spans.push({ start, length, lemma })
      start += length
    }
    return spans
  }
}

/** Up to the first hyphen: hyphens part the words of a phrase as spaces do. */
function firstPart(word: string): string {
  const end = word.indexOf("-")
  return end > 0 ? word.slice(0, end) : word
}

/** The first word, and the first two words, of each phrase → the number of words of the longest such phrase. */
function longestPhrases({ lemmas, nouns }: WordNet): Map<string, number> {
  const longest = new Map<string, number>()
  const raise = (key: string, length: number) => {
    if (length > (longest.get(key) ?? 1)) longest.set(key, length)
  }
  for (let lemma = 0; lemma < nouns; lemma++) {
    const words = lemmas.text(lemma).split(/[ -]/)
    if (words.length === 1) continue
    raise(words[0], words.length)
    if (words.length > 2) raise(`${words[0]} ${words[1]}`, words.length)
  }
  return longest
}
