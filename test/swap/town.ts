import { type Search, timeAfter } from "../support/aol-log.ts"

/** A small tree of topics, and the topic of every query that begins with its last name. */
export const topics = [
  "health/illness/flu",
  "health/illness/migraine",
  "health/diet",
  "travel/rail",
  "travel/air",
] as const

export const taxonomyText = ["health", "health/illness", "travel", ...topics]
  .map((path) => `${path}\t1\t${path.split("/").at(-1)}\n`)
  .join("")

export const wordOf = (topic: string) => topic.split("/").at(-1) ?? ""

/** The input of `--classifier`: the topic of every query that is in one of the topics. */
export function classifierText(searches: readonly Search[]): string {
  const queries = [...new Set(searches.map(({ query }) => query))]
  return queries
    .flatMap((query) => {
      const topic = topics.find((path) => query.startsWith(wordOf(path)))
      return topic === undefined ? [] : [`${query}\t${topic}\n`]
    })
    .join("")
}

/**
 * Searches of synthetic people: `users` people with `each` queries of random topics, a minute apart, some with clicks.
 */
export function townSearches({ users, each, seed = 1 }: { users: number; each: number; seed?: number }): Search[] {
  let state = seed
  const below = (n: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  return Array.from({ length: users * each }, (_, i): Search[] => {
    const user = String(below(users))
    const query = `${wordOf(topics[below(topics.length)] ?? "")} ${"abcdefghijklmnop"[below(16)]}`
    const search = { user, query, time: timeAfter(i * 60) }
    const url = `http://${query.replace(" ", "-")}.example`
    return below(3) === 0
      ? [
          { ...search, rank: 1, url },
          { ...search, rank: 2, url: `${url}/2` },
        ]
      : [search]
  }).flat()
}
