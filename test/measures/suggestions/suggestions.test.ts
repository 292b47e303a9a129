import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { type MeasureOptions, measure } from "#dist/measures/registry.js"
import { gatherTests } from "#dist/measures/retrieval/fold-tests.js"
import type { Score } from "#dist/probes/score.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { aolText, type Search, smallTown, timeAfter } from "../../support/aol-log.ts"
import { draftOf, reasonsOf } from "../../support/drafts.ts"
import { groupBy } from "../../support/group-by.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { followingOf, historiesOf, plainTables } from "../plain-tables.ts"
import { busyTown, readSearches } from "../retrieval/clicked-logs.ts"

const { write } = scratchFolder()
const only = ["suggestions"] as const
const everything = { method: "equality", k: 1, scrub: "none", urls: "keep" } as const

async function scoresOf(path: string, method: MethodChoice, values: MeasureOptions["values"] = {}): Promise<Score[]> {
  const { subject, context } = await draftOf(path, method)
  const [outcome] = await measure(subject, { only, values }, context)
  return outcome !== undefined && "scores" in outcome ? outcome.scores : []
}

const search = (user: string, query: string, minutes: number): Search => {
  return { user, query, time: timeAfter(minutes * 60) }
}

/** A few people who issue few queries. No person issues two at the same time. */
const searches: fc.Arbitrary<Search[]> = fc
  .uniqueArray(fc.record({ user: fc.nat({ max: 6 }), minutes: fc.nat({ max: 40 }) }), {
    selector: ({ user, minutes }) => user * 100 + minutes,
    minLength: 1,
    maxLength: 60,
  })
  .chain((places) =>
    fc
      .array(fc.constantFrom("cars", "cars of maps", "maps", "news of sport", "sport"), {
        minLength: places.length,
        maxLength: places.length,
      })
      .map((queries) => places.map(({ user, minutes }, i) => search(`person ${user}`, queries[i] ?? "", minutes * 7))),
  )

/** What is suggested, best first. Texts at one place are equally good. */
type Places = string[][]

/** The mean of 1 / rank in a list of ten, over all orders of equally good texts. */
function reciprocalByHand(places: Places, next: string): number {
  const place = places.findIndex((texts) => texts.includes(next))
  if (place < 0) return 0
  const above = places.slice(0, place).flat().length
  const ties = places[place]?.length ?? 0
  const ranks = Array.from({ length: ties }, (_, i) => above + i + 1)
  return ranks.reduce((sum, rank) => sum + (rank <= 10 ? 1 / rank : 0), 0) / ties
}

/** Texts by falling keys, compared one after another. */
function placesBy(texts: readonly string[], keys: (text: string) => number[]): Places {
  const ordered = [...groupBy(texts, (text) => JSON.stringify(keys(text)))]
  return ordered
    .map(([key, same]) => ({ key: JSON.parse(key) as number[], same }))
    .sort((a, b) => a.key.map((value, i) => (b.key[i] ?? 0) - value).find((difference) => difference !== 0) ?? 0)
    .map(({ same }) => same)
}

const wordsOf = (text: string) => text.split(" ").filter((word) => word !== "of")

/** All scores, computed from the rows by hand. What other folds did is suggested. */
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
    const texts = groupBy(
      rows.filter(({ user, query }) => foldOf(user) !== fold && isShown(query)),
      ({ query }) => query,
    )
    const often = (text: string) => texts.get(text)?.length ?? 0
    const shares = (text: string) => wordsOf(from).filter((word) => wordsOf(text).includes(word)).length
    const first = placesBy([...nexts.keys()], (text) => [nexts.get(text)?.length ?? 0])
    const rest = [...texts.keys()].filter((text) => text !== from && !nexts.has(text))
    const list = [...first, ...placesBy(rest, (text) => [shares(text), often(text)])]
    return {
      suggestions: reciprocalByHand(list, to),
      followed: reciprocalByHand(first, to),
      answered: nexts.size > 0 ? 1 : 0,
    }
  })
  const mean = (part: "suggestions" | "followed" | "answered") =>
    values.reduce((sum, value) => sum + value[part], 0) / Math.max(1, values.length)
  return { n: values.length, values: [mean("suggestions"), mean("followed"), mean("answered")] }
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
    // A seed that splits them, so that each is judged by what the other did.
    const isSplit = (seed: number) => new Set(gatherTests(log, { folds: 2, queries: 1, seed }).foldOf).size === 2
    const foldSeed = Array.from({ length: 20 }, (_, seed) => seed).find(isSplit) ?? 0
    // anna: cars → maps is the first of one; bert does not know cars → news. bert: cars → maps ties with news for the
    // first two places.
    const [mrr, followed, answered] = await scoresOf(path, { ...everything, users: "session" }, { folds: 2, foldSeed })
    expect(mrr).toMatchObject({ name: "suggestions", n: 3 })
    expect(mrr?.value).toBeCloseTo((1 + 0 + 3 / 4) / 3, 12)
    expect(mrr?.baseline).toBeCloseTo((1 + 0 + 3 / 4) / 3, 12)
    expect(followed).toMatchObject({ name: "suggestions-followed", value: mrr?.value, baseline: mrr?.baseline })
    expect(answered).toMatchObject({ name: "suggestions-answered", value: 1, baseline: 1 })
    const series = mrr?.series
    expect([0, 1, 2].map((row) => series?.cell(row, 1))).toEqual([1.5 / 3, 0.5 / 3, 0])
  })

  test("score as worked out by hand, for the release and for the log", async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.integer({ min: 1, max: 4 }), async (rows, k) => {
        const path = write(aolText(rows))
        const log = await readSearches(path)
        const { foldOf } = gatherTests(log, { folds: 3, queries: 1, seed: 1 })
        const usersOf = (query: string) => new Set(rows.filter((row) => row.query === query).map(({ user }) => user))
        const fold = (user: string) => foldOf[log.users.find(user)] ?? -1
        const scores = await scoresOf(path, { ...everything, k, users: "pseudonym", time: "exact" }, { folds: 3 })
        const found = scoreByHand(rows, fold, (query) => usersOf(query).size >= k)
        const original = scoreByHand(rows, fold, () => true)
        expect(scores.map(({ name }) => name)).toEqual(["suggestions", "suggestions-followed", "suggestions-answered"])
        scores.forEach(({ n, value, baseline }, i) => {
          expect(n).toBe(found.n)
          expect(value).toBeCloseTo(found.values[i] ?? -1, 12)
          expect(baseline).toBeCloseTo(original.values[i] ?? -1, 12)
        })
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

  test("are asked for as many pairs as requested, with an interval around the value", async () => {
    const path = write(aolText(busyTown()))
    const [all] = await scoresOf(path, everything)
    const [some] = await scoresOf(path, everything, { suggestionPairs: 150 })
    expect(all?.n).toBeGreaterThan(300)
    expect(some?.n).toBe(150)
    const [low = 1, high = 0] = some?.interval ?? []
    expect(low).toBeLessThan(all?.value ?? 0)
    expect(high).toBeGreaterThan(all?.value ?? 1)
  })

  test("are made by words and by frequency if nothing follows anything, and not made of concepts", async () => {
    const path = write(aolText(smallTown()))
    const [mrr, followed] = await scoresOf(path, { ...everything, users: "drop" })
    expect(mrr?.value).toBeGreaterThan(0)
    expect(followed?.value).toBe(0)
    const { subject, context } = await draftOf(path, { method: "wordnet", k: 2, scrub: "none" })
    expect(reasonsOf(await measure(subject, { only }, context))).toEqual([expect.stringContaining("concepts")])
  })
})
