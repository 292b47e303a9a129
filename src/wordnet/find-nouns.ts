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

/** What is no noun by itself. */
export interface NounFinderOptions {
  /**
   * Words that are no noun by themselves: WordNet has `in` as the inch, `us` as a country and `who` as an organisation.
   * They may still be part of a phrase that WordNet has as it is written (`the hague`, `house of cards`).
   */
  skip?: (word: string) => boolean
}

/** Words of which is remembered what is known; the words of a log are few and come again and again. */
const remembered = 1 << 17

/** What is known of a word, wherever it stands. */
export interface KnownWord {
  text: string
  /** The noun that it is by itself, or -1. */
  lemma: number
  skipped: boolean
  /**
   * Of each of its forms that begins phrases: second word → words of the longest phrase with these two. The word may be
   * a plural: `attorneys general`.
   */
  begins: readonly PhraseLengths[]
  /** Its second part, where hyphens part it: `dog` of `hot-dog`. */
  inner: readonly string[] | undefined
  /** What it may be as the second word of a phrase, and as its last: `dogs`, `dog`. */
  follows: readonly string[]
  /** The word without its full stops, where it has any. */
  unstopped: KnownWord | undefined
}

/** The two halves of finding nouns, for callers that keep words in their own way. */
export interface NounReader {
  know(word: string): KnownWord
  find(words: readonly KnownWord[]): NounSpan[]
}

/**
 * Makes a function that finds the nouns of a query, given as normalised words, from left to right: at each word the
 * longest phrase that `findNoun` knows, then on behind it. Spans do not overlap.
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

/** A table from the first two words of phrases to the length of their longest keeps look-ups of phrases rare. */
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

  /** A phrase that begins with a skipped word is taken only as it is written: `degree in law` has no `in-law`. */
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

/** No phrase that begins with these two words is longer. */
function boundPhrase(first: KnownWord, second: KnownWord): number {
  let bound = 1
  for (const lengths of first.begins)
    for (const next of first.inner ?? second.follows) bound = Math.max(bound, lengths.get(next) ?? 1)
  if (first.unstopped === undefined && second.unstopped === undefined) return bound
  return Math.max(bound, boundPhrase(first.unstopped ?? first, second.unstopped ?? second))
}

/** What `findNoun` gives for a word of one part, whose base forms these are. */
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

/** Up to the first hyphen: hyphens part the words of a phrase as spaces do. */
function firstPart(word: string): string {
  const end = word.indexOf("-")
  return end > 0 ? word.slice(0, end) : word
}

/** First word → second word → the number of words of the longest phrase that begins with both. */
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
