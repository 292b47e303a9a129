import { foldToAscii } from "../../wordnet/lemmatise.ts"
import { stopWords } from "../classify/stop-words.ts"

const token = /[\p{L}\p{N}]+/gu
/** Maximum characters of a word in the index. Longer strings are not words. */
const longestWord = 64

/**
 * Makes a function for the distinct words of a page or a query: lower case without accents, plurals as singulars,
 * without function words. Pages and queries are read the same way, so a page is found by any of its words in singular
 * or plural.
 */
export function pageWordReader(): (text: string) => string[] {
  const { isFunctionWord } = stopWords()
  return (text) => {
    const words = new Set<string>()
    for (const word of foldToAscii(text.toLowerCase()).match(token) ?? []) {
      if (!isFunctionWord(word) && word.length <= longestWord) words.add(toSingular(word))
    }
    return [...words]
  }
}

function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}
