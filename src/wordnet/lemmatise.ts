import { baseForms } from "./base-forms.ts"
import type { PartOfSpeech } from "./part-of-speech.ts"
import type { WordNet } from "./wordnet.ts"

/**
 * The lemmas that a word or phrase may be a form of, likeliest first; empty if WordNet does not know it. The text must
 * be normalised: lower case, single spaces.
 *
 * A phrase is inflected in its last word (`hot dogs`) or its first (`attorneys general`). The text is tried as written,
 * with spaces for hyphens, with hyphens for spaces, and without full stops. Accents are ignored, because WordNet has
 * none.
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

/** Removes accents and makes apostrophes and hyphens plain. WordNet is ASCII, so other texts would never be found. */
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
