import { baseForms } from "./base-forms.ts"
import { findNoun, foldToAscii, withoutStops } from "./lemmatise.ts"
import type { WordNet } from "./wordnet.ts"

/** words[start, start + length) are a form of the noun `lemma`. */
export interface NounSpan {
  start: number
  length: number
  lemma: number
}

/** Finds the nouns among the words of a query, from left to right, longest phrase first. */
export type NounFinder = (words: readonly string[]) => NounSpan[]

/** Options for finding nouns. */
export interface NounFinderOptions {
  /**
   * True for words that are not nouns by themselves: WordNet has `in` as the inch, `us` as a country and `who` as an
   * organisation. They may still be part of a phrase that WordNet lists as written (`the hague`, `house of cards`).
   */
  skip?: (word: string) => boolean
}

/** How many words are remembered. The words of a log are few and recur often. */
const remembered = 1 << 17

/** What is known about a word, wherever it occurs. */
export interface KnownWord {
  text: string
  /** The noun that the word is by itself, or -1. */
  lemma: number
  skipped: boolean
  /**
   * For each of its forms that begins phrases: second word → number of words of the longest phrase that begins with
   * both. The form may come from a plural: `attorneys general`.
   */
  begins: readonly PhraseLengths[]
  /** The base forms of its second part, if it has hyphens: `dog` for `hot-dog`. */
  inner: readonly string[] | undefined
  /** Its forms as the second or last word of a phrase: `dogs`, `dog`. */
  follows: readonly string[]
  /** The word without its full stops, if it has any. */
  unstopped: KnownWord | undefined
}

/** The two halves of finding nouns, for callers that store words in their own way. */
export interface NounReader {
  know(word: string): KnownWord
  find(words: readonly KnownWord[]): NounSpan[]
}

/**
 * Returns a function that finds the nouns of a query, given as normalised words, from left to right. At each word it
 * takes the longest phrase that `findNoun` knows and continues after it. Spans do not overlap.
 */
export function createNounFinder(wordnet: WordNet, options: NounFinderOptions = {}): NounFinder {
  const { know, find } = createNounReader(wordnet, options)
  const known = new Map<string, KnownWord>()
  const remember = (word: string): KnownWord => {
    const found = known.get(word)
    if (found !== undefined) return found
    if (known.size === remembered) known.clear()
    const made = know(word)
    known.set(word, made)
    return made
  }
  return (words) => find(words.map(remember))
}

/**
 * Creates a `NounReader`. A table from the first two words of phrases to the length of the longest one keeps look-ups
 * of phrases rare.
 */
export function createNounReader(wordnet: WordNet, options: NounFinderOptions = {}): NounReader {
  const skip = options.skip ?? (() => false)
  const longest = longestPhrases(wordnet)

  const know = (given: string): KnownWord => {
    const text = foldToAscii(given)
    const skipped = skip(text)
    const start = firstPart(text)
    const parted = start.length < text.length
    const follows = baseForms(start, "noun")
    const stopped = text.includes(".")
    return {
      text,
      skipped,
      lemma: skipped ? -1 : parted || stopped ? findNoun(wordnet, text) : firstNoun(wordnet, follows),
      begins: phrasesFrom(longest, follows),
      inner: parted ? baseForms(firstPart(text.slice(start.length + 1)), "noun") : undefined,
      follows,
      unstopped: stopped ? know(withoutStops(text)) : undefined,
    }
  }

  /**
   * Finds a phrase. If it begins with a skipped word, it must match as written: `degree in law` does not contain
   * `in-law`.
   */
  const findPhrase = (words: readonly KnownWord[]) => {
    const text = words.map((word) => word.text).join(" ")
    return words[0].skipped ? wordnet.find(text, "noun") : findNoun(wordnet, text)
  }

  const find = (words: readonly KnownWord[]): NounSpan[] => {
    const spans: NounSpan[] = []
    for (let start = 0; start < words.length; ) {
      let { lemma } = words[start]
      let length = 1
      if (start + 1 < words.length) {
        const bound = Math.min(words.length - start, boundPhrase(words[start], words[start + 1]))
        for (let tried = bound; tried > 1; tried--) {
          const phrase = findPhrase(words.slice(start, start + tried))
          if (phrase < 0) continue
          lemma = phrase
          length = tried
          break
        }
      }
      if (lemma >= 0) spans.push({ start, length, lemma })
      start += length
    }
    return spans
  }
  return { know, find }
}

/** An upper bound on the number of words of a phrase that begins with these two words. */
function boundPhrase(first: KnownWord, second: KnownWord): number {
  let bound = 1
  for (const lengths of first.begins)
    for (const next of first.inner ?? second.follows) bound = Math.max(bound, lengths.get(next) ?? 1)
  if (first.unstopped === undefined && second.unstopped === undefined) return bound
  return Math.max(bound, boundPhrase(first.unstopped ?? first, second.unstopped ?? second))
}

/** What `findNoun` returns for a word of one part with these base forms. */
function firstNoun(wordnet: WordNet, forms: readonly string[]): number {
  for (const form of forms) {
    const lemma = wordnet.find(form, "noun")
    if (lemma >= 0) return lemma
  }
  return -1
}

type PhraseLengths = ReadonlyMap<string, number>

const noPhrases: readonly PhraseLengths[] = []

function phrasesFrom(longest: ReadonlyMap<string, PhraseLengths>, forms: readonly string[]): readonly PhraseLengths[] {
  let found = noPhrases
  for (const form of forms) {
    const lengths = longest.get(form)
    if (lengths !== undefined) found = [...found, lengths]
  }
  return found
}

/** The word up to its first hyphen. Hyphens separate the words of a phrase as spaces do. */
function firstPart(word: string): string {
  const end = word.indexOf("-")
  return end > 0 ? word.slice(0, end) : word
}

/** First word → second word → number of words of the longest phrase that begins with both. */
function longestPhrases({ lemmas, nouns }: WordNet): Map<string, Map<string, number>> {
  const longest = new Map<string, Map<string, number>>()
  for (let lemma = 0; lemma < nouns; lemma++) {
    const [first, second, ...more] = lemmas.text(lemma).split(/[ -]/)
    if (second === undefined) continue
    const lengths = longest.get(first) ?? new Map<string, number>()
    longest.set(first, lengths.set(second, Math.max(lengths.get(second) ?? 0, 2 + more.length)))
  }
  return longest
}
