import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { type MeasureOptions, measure } from "#dist/measures/registry.js"
import { gatherTests } from "#dist/measures/retrieval/fold-tests.js"
import type { Score } from "#dist/probes/score.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { aolText, type Search, smallTown, timeAfter } from "../../support/aol-log.ts"
import { draftOf, reasonsOf } from "../../support/drafts.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { plainTables } from "../plain-tables.ts"
import { busyTown, readSearches } from "../retrieval/clicked-logs.ts"

const { write } = scratchFolder()
const only = ["perplexity"] as const
const everything = { method: "equality", k: 1, scrub: "none", urls: "keep" } as const

async function scoreOf(
  path: string,
  method: MethodChoice,
  values: MeasureOptions["values"] = {},
): Promise<Score | undefined> {
  const { subject, context } = await draftOf(path, method)
  const [outcome] = await measure(subject, { only, values }, context)
  return outcome !== undefined && "scores" in outcome ? outcome.scores[0] : undefined
}

/** Few people who search with few words, each at times of their own. */
const searches: fc.Arbitrary<Search[]> = fc
  .array(
    fc.record({
      user: fc.nat({ max: 5 }).map((user) => `person ${user}`),
      query: fc
        .array(fc.constantFrom("cheap", "cars", "maps", "old"), { minLength: 1, maxLength: 3 })
        .map((words) => words.join(" ")),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((rows) => rows.map((row, i) => ({ ...row, time: timeAfter(i * 60) })))

/** The probability of a word after others, by going through all texts for every number in it. */
function chanceByHand(
  texts: readonly string[][],
  context: readonly string[],
  word: string,
  base: (word: string) => number,
): number {
  const followers = texts.flatMap((words) => {
    const marked = ["^", "^", ...words, "$"]
    return marked.slice(2).flatMap((last, i) => {
      const before = [marked[i], marked[i + 1]].slice(2 - context.length)
      return before.every((one, at) => one === context[at]) ? [last] : []
    })
  })
  const shorter = context.length === 0 ? base(word) : chanceByHand(texts, context.slice(1), word, base)
  const kinds = new Set(followers).size
  if (kinds === 0) return shorter
  return (followers.filter((last) => last === word).length + kinds * shorter) / (followers.length + kinds)
}

/** The definition, for a release of the searches that are shown. */
function perplexityByHand(
  rows: readonly Search[],
  foldOf: (user: string) => number,
  isShown: (query: string) => boolean,
): number {
  const allWords = [...new Set(rows.flatMap(({ query }) => query.split(" ")))]
  const writersOf = (word: string) =>
    new Set(rows.filter(({ query }) => query.split(" ").includes(word)).map(({ user }) => user))
  const rare = allWords.filter((word) => writersOf(word).size < 2)
  const classed = (query: string) => query.split(" ").map((word) => (rare.includes(word) ? "?" : word))
  const n = allWords.length + 1
  const base = (word: string) => (word === "?" ? rare.length : 1) / n
  const chances = rows.flatMap(({ user, query }) => {
    const others = rows.filter((row) => foldOf(row.user) !== foldOf(user) && isShown(row.query))
    const texts = others.map((row) => classed(row.query))
    const words = ["^", "^", ...classed(query), "$"]
    return words.slice(2).map((word, i) => {
      const chance = chanceByHand(texts, words.slice(i, i + 2), word, base)
      return word === "?" ? chance / rare.length : chance
    })
  })
  const nats = (share: number) =>
    chances.reduce((sum, chance) => sum - Math.log(share * chance + (1 - share) / n), 0) / chances.length
  let [low, high] = [0, 1]
  for (let step = 0; step < 200; step++) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3]
    if (nats(left) < nats(right)) high = right
    else low = left
  }
  return Math.exp(nats((low + high) / 2))
}

describe("perplexity", () => {
  test("is its definition, for the release and for the log", async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.integer({ min: 1, max: 4 }), async (rows, k) => {
        const path = write(aolText(rows))
        const log = await readSearches(path)
        const { foldOf } = gatherTests(log, { folds: 3, queries: 1, seed: 1 })
        const fold = (user: string) => foldOf[log.users.find(user)] ?? -1
        const usersOf = (query: string) =>
          new Set(rows.filter((row) => row.query === query).map(({ user }) => user)).size
        const found = await scoreOf(path, { ...everything, k }, { folds: 3 })
        expect(found?.value).toBeCloseTo(
          perplexityByHand(rows, fold, (query) => usersOf(query) >= k),
          6,
        )
        expect(found?.baseline).toBeCloseTo(
          perplexityByHand(rows, fold, () => true),
          6,
        )
      }),
      { numRuns: 30 },
    )
  })

  test("of a release of everything, in rows or in tables, is that of the log", async () => {
    const rows = smallTown().map((row) => ({ ...row, query: row.query.toLowerCase() }))
    const path = write(aolText(rows))
    const found = await scoreOf(path, everything)
    expect(found?.value).toBe(found?.baseline)
    const subject = { release: await plainTables(path, rows), log: await readSearches(path) }
    const [outcome] = await measure(subject, { only }, createContext({ workers: 1 }))
    expect(outcome).toMatchObject({ scores: [{ value: found?.value, baseline: found?.value }] })
  })

  test("of a release without rows is the number of words, and nothing is worse", async () => {
    const rows = busyTown()
    const path = write(aolText(rows))
    const nothing = await scoreOf(path, { ...everything, k: 1000 })
    const words = new Set(rows.flatMap(({ query }) => query.split(" "))).size + 1
    expect(nothing?.value).toBeCloseTo(words, 9)
    const found = await Promise.all(
      [30, 16, 1].map(async (k) => (await scoreOf(path, { ...everything, k }))?.value ?? 0),
    )
    expect([words, ...found]).toEqual([words, ...found].sort((a, b) => b - a))
    expect(found[2]).toBeLessThan(words / 2)
  })

  test("uses as many searches as requested, with an interval around the value", async () => {
    const path = write(aolText(busyTown()))
    const all = await scoreOf(path, everything)
    const some = await scoreOf(path, everything, { perplexityQueries: 200 })
    expect([all?.n, some?.n]).toEqual([480, 200])
    const [low = 0, high = 0] = some?.interval ?? []
    expect(low).toBeLessThan(all?.value ?? 0)
    expect(high).toBeGreaterThan(all?.value ?? 0)
  })

  test("does not apply to concepts", async () => {
    const { subject, context } = await draftOf(write(aolText(smallTown())), { method: "wordnet", k: 2, scrub: "none" })
    expect(reasonsOf(await measure(subject, { only }, context))).toEqual([expect.stringContaining("concepts")])
  })
})
