import { readPackageList } from "../files/package-lists.ts"
import type { Dictionary } from "../kernels/dictionary.ts"
import { normaliseQuery } from "./normalise.ts"

/** Words with little content of their own: English articles, prepositions, conjunctions, auxiliary verbs, pronouns. */
export const englishFunctionWords = readPackageList("function-words").join("\n")

/** Parses a list of words, separated by white space, one or more per line. A line that starts with # is a comment. */
export function parseFunctionWords(text: string): Set<string> {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"))
  return new Set(
    normaliseQuery(lines.join(" "))
      .split(" ")
      .filter((word) => word !== ""),
  )
}

/** 1 for each id of `words` that is in the list. */
export function markFunctionWords(words: Dictionary, list: Iterable<string>): Uint8Array {
  const marks = new Uint8Array(words.size)
  for (const word of list) {
    const id = words.find(word)
    if (id >= 0) marks[id] = 1
  }
  return marks
}
