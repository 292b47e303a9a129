import { readPackageList } from "../../files/package-lists.ts"
import { anyOf } from "./any-of.ts"

const baseForms: ReadonlySet<string> = new Set(readPackageList("english-words"))

/** Endings that long words have and surnames hardly ever have. */
const endings = anyOf(`
  [st]ion ment ness able ible ical ality ility ivity osity ism istic istry ious eous [st]ive [aei]nce [ae]ncy ship less
  ful graphy graph ology ologist ational ional ize ify like hood matic metric phobia phone
`)
const wordEnding = new RegExp(`^[a-z]{3,30}${endings}$`)

const inflections = ["ing", "ers", "ed", "er", "es", "ly", "s", "d", "r"] as const
const doubling = new Set<string>(["ing", "ers", "ed", "er"])

/** True if the list of English words contains exactly this word. */
export function isBaseForm(word: string): boolean {
  return baseForms.has(word)
}

/**
 * True if the list of English words contains a word, or the word without its inflection. Also true for some typical
 * endings of words.
 */
export function isEnglishWord(word: string): boolean {
  if (baseForms.has(word) || hasBaseForm(word)) return true
  return wordEnding.test(word) || (word.endsWith("s") && wordEnding.test(word.slice(0, -1)))
}

/** parties, stopped, making, makers: the base form follows from the ending. */
function hasBaseForm(word: string): boolean {
  if ((word.endsWith("ies") || word.endsWith("ied")) && baseForms.has(`${word.slice(0, -3)}y`)) return true
  for (const ending of inflections) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue
    const stem = word.slice(0, -ending.length)
    if (baseForms.has(stem)) return true
    if (!doubling.has(ending)) continue
    if (baseForms.has(`${stem}e`)) return true
    if (stem.length > 3 && stem.at(-1) === stem.at(-2) && baseForms.has(stem.slice(0, -1))) return true
  }
  return false
}
