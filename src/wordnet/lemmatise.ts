import { baseForms } from "./base-forms.ts"
import type { PartOfSpeech } from "./part-of-speech.ts"
import type { WordNet } from "./wordnet.ts"

/**
 * The lemmas that a word or phrase may be a form of, likeliest first; none when WordNet does not know it. The text is
 * normalised text: lower case, single spaces.
 *
 * A phrase is inflected in its last word (`hot dogs`) or its first (`attorneys general`). What is not found as it is
 * written is tried with spaces for hyphens, hyphens for spaces, and without full stops; accents do not matter, since
 * WordNet has none.
 */
export function lemmatise(wordnet: WordNet, text: string, options: { partOfSpeech?: PartOfSpeech } = {}): number[] {
  return [...new Set(candidates(wordnet, text, options.partOfSpeech ?? "noun"))]
}

/** The likeliest noun that a word or phrase is a form of, or -1. */
export function findNoun(wordnet: WordNet, text: string): number {
  for (const lemma of candidates(wordnet, text, "noun")) return lemma
  return -1
}

function* candidates(wordnet: WordNet, text: string, partOfSpeech: PartOfSpeech): Generator<number> {
  for (const spelling of spellings(foldToAscii(text))) {
    for (const form of phraseForms(spelling, partOfSpeech)) {
      const lemma = wordnet.find(form, partOfSpeech)
      if (lemma >= 0) yield lemma
    }
  }
}

export const withoutStops = (text: string) => text.replaceAll(".", "")

function* spellings(text: string): Generator<string> {
  yield text
  if (text.includes("-")) yield text.replaceAll("-", " ")
  if (text.includes(" ")) yield text.replaceAll(" ", "-")
  if (text.includes(".")) yield withoutStops(text)
}

function* phraseForms(text: string, partOfSpeech: PartOfSpeech): Generator<string> {
  const lastBreak = Math.max(text.lastIndexOf(" "), text.lastIndexOf("-"))
  if (lastBreak < 0) {
    yield* baseForms(text, partOfSpeech)
    return
  }
  yield text
  const last = text.slice(lastBreak + 1)
  for (const base of baseForms(last, partOfSpeech)) if (base !== last) yield text.slice(0, lastBreak + 1) + base
  const firstBreak = text.search(/[ -]/)
  const first = text.slice(0, firstBreak)
  for (const base of baseForms(first, partOfSpeech)) if (base !== first) yield base + text.slice(firstBreak)
}

/** WordNet is ASCII: without accents and with plain apostrophes a text can be found, else never. */
export function foldToAscii(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) {
      return text
        .normalize("NFD")
        .replace(/\p{M}/gu, "")
        .replace(/[\u2018\u2019\u02bc]/gu, "'")
        .replace(/[\u2010-\u2015]/gu, "-")
    }
  }
  return text
}
