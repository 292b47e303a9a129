import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { englishFunctionWords, parseFunctionWords } from "#dist/text/function-words.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at } = scratchFolder()
const context = createContext({ workers: 2 })
const functionWords = parseFunctionWords(englishFunctionWords)
const wordsOf = (query: string) => (query.match(/[a-z0-9]{2,}/g) ?? []).filter((word) => !functionWords.has(word))

/** The searches of each user, in order of time. */
async function searchesOf(options: { rows: number; users: number }): Promise<string[][]> {
  const path = at(`log-${options.users}.tsv`)
  await synthLog(path, options)
  const { log } = await readLog(path, { strict: true }, context)
  const searches = Array.from({ length: options.users }, (): string[] => [])
  for (let row = 0; row < log.rows; row++) searches[log.user[row] ?? 0]?.push(log.queries.text(log.query[row] ?? 0))
  return searches
}

/**
 * Of the distinct queries with a word that no other user has: the share in which such a word is in another query of
 * that user.
 */
function shareOfReturns(users: readonly (readonly string[])[]): number {
  const usersOf = new Map<string, number>()
  for (const queries of users)
    for (const word of new Set(queries.flatMap(wordsOf))) usersOf.set(word, (usersOf.get(word) ?? 0) + 1)
  let rare = 0
  let again = 0
  for (const queries of users) {
    const own = [...new Set(queries)].map((query) =>
      [...new Set(wordsOf(query))].filter((word) => usersOf.get(word) === 1),
    )
    const count = new Map<string, number>()
    for (const word of own.flat()) count.set(word, (count.get(word) ?? 0) + 1)
    rare += own.filter((words) => words.length > 0).length
    again += own.filter((words) => words.some((word) => (count.get(word) ?? 0) > 1)).length
  }
  return again / rare
}

describe("people of a synthetic log", async () => {
  const users = await searchesOf({ rows: 80_000, users: 200 })

  // Over twenty seeds: 0.475, standard deviation 0.0144. The bounds are more than five of these away, so a change that
  // only draws other numbers fails about once in a million times.
  test("come back to words that nobody else has", () => {
    expect(shareOfReturns(users)).toBeGreaterThan(0.4)
    expect(shareOfReturns(users)).toBeLessThan(0.55)
  })

  // 0.002 over twenty seeds, at most 0.003.
  test("do not, once their searches are shuffled among all users", () => {
    const dealt = users.map((): string[] => [])
    for (const [i, query] of [...users.map((queries) => [...new Set(queries)])].flat().entries())
      dealt[i % dealt.length]?.push(query)
    expect(shareOfReturns(dealt)).toBeLessThan(0.05)
  })
})

describe("a very busy person of a synthetic log", () => {
  // At most 8,192 rows are written in one go, and nothing is remembered from one part to the next. Of the words that
  // are in no dictionary and not the other person's, 0.162 of those in the first rows are also in the last rows, over
  // twelve seeds; standard deviation 0.015. The bound is almost five of these below: a false alarm in a million.
  // Without own words it was 0.05.
  test("uses the same own words in every part that is written", async () => {
    const { lemmas } = await openWordNet({}, context)
    const [one = [], other = []] = await searchesOf({ rows: 80_000, users: 2 })
    const names = (queries: readonly string[]) =>
      new Set(queries.flatMap(wordsOf).filter((word) => lemmas.find(word) < 0))
    const [others, last] = [names(other), names(one.slice(-4000))]
    const first = [...names(one.slice(0, 4000))].filter((word) => !others.has(word))
    expect(first.filter((word) => last.has(word)).length / first.length).toBeGreaterThan(0.09)
  })
})
