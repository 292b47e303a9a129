import { readPackageList } from "../../files/package-lists.ts"

const entries = [...readPackageList("famous-persons"), ...readPackageList("wordnet-persons")]

/** People known by one name that hardly means anything else: mozart, beyonce. */
export const singleNames: ReadonlySet<string> = new Set(entries.filter((entry) => !entry.includes(" ")))

/** Names of several words that no rule finds, because a part is also a word: tiger woods, 50 cent, mao zedong. */
const fullNames: ReadonlySet<string> = new Set(entries.filter((entry) => entry.includes(" ")))

/** The first words of full names. */
export const fullNameStarts: ReadonlySet<string> = new Set([...fullNames].map((name) => name.split(" ")[0]))

/** One word of each full name that contains none of the given words. */
export function fullNameClues(known: ReadonlySet<string>): string[] {
  return [...fullNames]
    .map((name) => name.split(" "))
    .flatMap((words) => (words.some((word) => known.has(word)) ? [] : words.slice(-1)))
}

const longest = Math.max(...[...fullNames].map((name) => name.split(" ").length))

/** Where the full name that starts at this word ends, or -1. */
export function findFullName(words: readonly string[], at: number): number {
  let name = words[at]
  for (let last = at + 1; last < words.length && last < at + longest; last++) {
    name += ` ${words[last]}`
    if (fullNames.has(name)) return last
  }
  return -1
}
