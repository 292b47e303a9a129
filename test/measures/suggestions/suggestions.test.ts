import * as fc from "fast-check"
import { createContext } from "queryveil/kernels"
import { gatherTests, measure } from "queryveil/measures"
import type { Score } from "queryveil/release"
import { describe, expect, test } from "vitest"
import { aolText, type Search, smallTown, timeAfter } from "../../support/aol-log.ts"
import { draftOf, reasonsOf } from "../../support/drafts.ts"
import { groupBy } from "../../support/group-by.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { followingOf, historiesOf, plainTables } from "../plain-tables.ts"
import { busyTown, readSearches } from "../retrieval/clicked-logs.ts"

const { write } = scratchFolder()
const only = ["suggestions"]
const everything = { method: "equality", k: 1, scrub: "none", urls: "keep" }

async function scoresOf(path: string, method: Parameters<typeof draftOf>[1], values = {}): Promise<Score[]> {
  const { subject, context } = await draftOf(path, method)
  const [outcome] = await measure(subject, { only, values }, context)
  return outcome !== undefined && "scores" in outcome ? outcome.scores : []
}

const search = (user: string, query: string, minutes: number): Search => {
  return { user, query, time: timeAfter(minutes * 60) }
}

/** A few people who issue few queries, no two of one person at one time. */
const searches: fc.Arbitrary<Search[]> = fc
  .uniqueArray(fc.record({ user: fc.nat({ max: 6 }), minutes: fc.nat({ max: 40 }) }), {
    selector: ({ user, minutes }) => user * 100 + minutes,
    minLength: 1,
    maxLength: 60,
  })
  .chain((places) =>
    fc
      .array(fc.constantFrom("cars", "maps", "news", "sport"), { minLength: places.length, maxLength: places.length })
      .map((queries) => places.map(({ user, minutes }, i) => search(`person ${user}`, queries[i] ?? "", minutes * 7))),
  )

/** The mean over all orders in which what weighs the same may stand, for lists of a few. */
function reciprocalByHand(counts: Map<string, number>, next: string): number {
  const orders = (items: string[]): string[][] =>
    items.length === 0
      ? [[]]
      : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
  const falling = (order: string[]) =>
    order.every((item, i) => i === 0 || (counts.get(order[i - 1] ?? "") ?? 0) >= (counts.get(item) ?? 0))
  const lists = orders([...counts.keys()]).filter(falling)
  const reciprocals = lists.map((list) => (list.includes(next) ? 1 / (list.indexOf(next) + 1) : 0))
  return reciprocals.reduce((sum, value) => sum + value, 0) / reciprocals.length
}

/** Both scores from the rows as a person would work them out: what other folds did is what is suggested. */
function scoreByHand(rows: readonly Search[], foldOf: (user: string) => number, isShown: (query: string) => boolean) {
  const histories = historiesOf(rows)
  const pairsOf = (history: readonly Search[]) => ({
    fold: foldOf(history[0]?.user ?? ""),
    pairs: followingOf(history),
  })
  const shown = histories.map((history) => pairsOf(history.filter(({ query }) => isShown(query))))
  const asked = histories.map(pairsOf).flatMap(({ fold, pairs }) => pairs.map(([from, to]) => ({ fold, from, to })))
  const values = asked.map(({ fold, from, to }) => {
    const followed = shown.filter((other) => other.fold !== fold).flatMap(({ pairs }) => pairs)
    const nexts = groupBy(
      followed.filter(([first]) => first === from),
      ([, next]) => next,
    )
    const counts = new Map([...nexts].map(([next, same]) => [next, same.length]))
    return { answered: counts.size > 0 ? 1 : 0, reciprocal: counts.size > 0 ? reciprocalByHand(counts, to) : 0 }
  })
  const mean = (part: "answered" | "reciprocal") =>
    values.reduce((sum, value) => sum + value[part], 0) / Math.max(1, values.length)
  return { n: values.length, suggestions: mean("reciprocal"), answered: mean("answered") }
}

describe("suggestions", () => {
  test("are what others issued next: ranks by hand, ties shared", async () => {
    const rows = [
      search("anna", "cars", 0),
      search("anna", "maps", 5),
      search("anna", "cars", 100),
      search("anna", "news", 130),
      search("anna", "sport", 161), // too late to follow
      search("bert", "cars", 0),
      search("bert", "maps", 1),
    ]
    const path = write(aolText(rows))
    const log = await readSearches(path)
    // A seed that splits them: each is judged by what the other did.
    const isSplit = (seed: number) => new Set(gatherTests(log, { folds: 2, queries: 1, seed }).foldOf).size === 2
    const foldSeed = Array.from({ length: 20 }, (_, seed) => seed).find(isSplit) ?? 0
    // anna: cars → maps first of one, cars → news not suggested; bert: cars → maps ties with news for the first two places.
    const [mrr, answered] = await scoresOf(path, { ...everything, users: "session" }, { folds: 2, foldSeed })
    expect(mrr).toMatchObject({ name: "suggestions", n: 3 })
    expect(mrr?.value).toBeCloseTo((1 + 0 + 3 / 4) / 3, 12)
    expect(mrr?.baseline).toBeCloseTo((1 + 0 + 3 / 4) / 3, 12)
    expect(answered).toMatchObject({ name: "suggestions-answered", value: 1, baseline: 1 })
    const series = mrr?.series
    expect([0, 1, 2].map((row) => series?.cell(row, 1))).toEqual([1.5 / 3, 0.5 / 3, 0])
  })

  test("score as a person works them out, for the release and for the log", async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.integer({ min: 1, max: 4 }), async (rows, k) => {
        const path = write(aolText(rows))
        const log = await readSearches(path)
        const { foldOf } = gatherTests(log, { folds: 3, queries: 1, seed: 1 })
        const usersOf = (query: string) => new Set(rows.filter((row) => row.query === query).map(({ user }) => user))
        const fold = (user: string) => foldOf[log.users.find(user)] ?? -1
        const [mrr, answered] = await scoresOf(
          path,
          { ...everything, k, users: "pseudonym", time: "exact" },
          { folds: 3 },
        )
        const found = scoreByHand(rows, fold, (query) => usersOf(query).size >= k)
        const original = scoreByHand(rows, fold, () => true)
        expect(mrr?.n).toBe(found.n)
        expect(mrr?.value).toBeCloseTo(found.suggestions, 12)
        expect(mrr?.baseline).toBeCloseTo(original.suggestions, 12)
        expect(answered?.value).toBeCloseTo(found.answered, 12)
        expect(answered?.baseline).toBeCloseTo(original.answered, 12)
      }),
      { numRuns: 40 },
    )
  })

  test("of tables with the log's own counts are those of its rows", async () => {
    const rows = smallTown().map((row) => ({ ...row, query: row.query.toLowerCase() }))
    const path = write(aolText(rows))
    const release = await plainTables(path, rows)
    const context = createContext({ workers: 1 })
    const subject = { release, log: await readSearches(path) }
    const [outcome] = await measure(subject, { only }, context)
    const [mrr] = outcome !== undefined && "scores" in outcome ? outcome.scores : []
    expect(mrr?.value).toBeGreaterThan(0)
    expect(mrr?.value).toBe(mrr?.baseline)
  })

  test("are asked for as many pairs as wanted, with an interval around the value", async () => {
    const path = write(aolText(busyTown()))
    const [all] = await scoresOf(path, everything)
    const [some] = await scoresOf(path, everything, { suggestionPairs: 150 })
    expect(all?.n).toBeGreaterThan(300)
    expect(some?.n).toBe(150)
    const [low = 1, high = 0] = some?.interval ?? []
    expect(low).toBeLessThan(all?.value ?? 0)
    expect(high).toBeGreaterThan(all?.value ?? 1)
  })

  test("are not asked of releases in which nothing follows anything, and these say why", async () => {
    const path = write(aolText(smallTown()))
    const reasons = async (method: Parameters<typeof draftOf>[1]) => {
      const { subject, context } = await draftOf(path, method)
      return reasonsOf(await measure(subject, { only }, context))
    }
    expect(await reasons({ ...everything, users: "drop" })).toEqual([expect.stringContaining("no names")])
    expect(await reasons({ method: "wordnet", k: 2, scrub: "none" })).toEqual([expect.stringContaining("concepts")])
    const queriesAlone = { method: "counts", epsilon: "1", delta: "1e-6", split: "1,1,0" }
    expect(await reasons(queriesAlone)).toEqual([expect.stringContaining("no table of transitions")])
  })
})
