import type { Random } from "../random.ts"

/** A search as the input topic has it. Its text is its own, and carries its number. */
export interface NumberedSearch {
  user: string
  query: string
  time: string
}

/** Topics of two levels, each known by one word. */
const topicWords: readonly [[string, string], ...[string, string][]] = [
  ["pets/dogs", "dog"],
  ["pets/cats", "cat"],
  ["pets/birds", "bird"],
  ["cars/vans", "van"],
  ["cars/trucks", "truck"],
  ["food/breads", "bread"],
  ["food/cheeses", "cheese"],
  ["music/drums", "drum"],
]
const parents = [...new Set(topicWords.map(([path]) => path.split("/")[0]))]

/** The file of `--taxonomy`. */
export const topicsFile = [
  ...parents.map((path) => `${path}\t1\t\n`),
  ...topicWords.map(([path, word]) => `${path}\t1\t${word}\n`),
].join("")

const users = 50
const firstTime = Date.UTC(2026, 2, 1)

export function makeNumbered(number: number, random: Random): NumberedSearch {
  const [, word] = random.pick(topicWords)
  const time = new Date(firstTime + number * 1000).toISOString().slice(0, 19).replace("T", " ")
  return { user: `person-${random.below(users)}`, query: `${word} qtx${number}`, time }
}

/** The number of the search that a text belongs to. */
export const numberOf = (query: string) => Number(/ qtx(\d+)$/.exec(query)?.[1] ?? Number.NaN)

/** Matches a text of a search or a user id, neither of which a worker may write to stderr. */
export const secretText = /qtx\d+|person-\d+/
