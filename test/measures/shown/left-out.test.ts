import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { measure } from "#dist/measures/registry.js"
import { gatherTests } from "#dist/measures/retrieval/fold-tests.js"
import type { ClickEdges } from "#dist/measures/shown/click-edges.js"
import { removerOf } from "#dist/measures/shown/leave-out.js"
import { edgesOfRelease } from "#dist/measures/shown/release-edges.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { aolText, type Search, timeAfter } from "../../support/aol-log.ts"
import { draftOf, valuesOf } from "../../support/drafts.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { clickedSearches, readSearches } from "../retrieval/clicked-logs.ts"

const { write } = scratchFolder()

const animals = ["dog", "cat", "horse", "cow"]
const colours = ["black", "white", "brown", "grey"]
const nouns = ["pictures", "food", "names", "breeds", "toys", "care", "health", "training", "shows", "sale"]

/**
 * Forty people. Everyone issues two queries of their own, one after another, and 45 minutes later one that ten people
 * share. All three lead to one page. In the log, nothing leads from an own query to the shared one. With times cut to
 * hours, one follows the other: a person who asks a release for an own query is led over the shared one to the page.
 * Only that person put it there.
 */
const people = Array.from({ length: 40 }, (_, i) => ({ i, user: `person ${i}`, animal: animals[i % 4] ?? "" }))
const ownQuery = (i: number) => `${animals[i % 4]} ${nouns[i % 10]} ${colours[Math.floor(i / 10)]}`
const isOwn = (query: string) => query.includes(" ")
const planted = [
  ...people.map(({ i, ...who }) => ({ ...who, query: ownQuery(i), seconds: i })),
  ...people.map(({ i, ...who }) => ({ ...who, query: `more ${ownQuery(i)}`, seconds: 300 + i })),
  ...people.map(({ i, ...who }) => ({ ...who, query: who.animal, seconds: 3000 + i })),
].map(({ animal, seconds, ...search }): Search => {
  return { ...search, time: timeAfter(seconds), rank: 1, url: `http://${animal}.example` }
})

const rows = { scrub: "none", users: "pseudonym", time: "hour", urls: "keep" } as const
const groups = { ...rows, method: "groups", k: 4, minQueryUsers: 1 } as const
const releases: [string, MethodChoice][] = [
  ["equality", { ...rows, method: "equality", k: 1 }],
  ["affinity", { ...rows, method: "affinity", k: 2, theta: 0.2 }],
  ["swap", { ...rows, method: "swap", k: 2, depth: "3", repeats: "keep" }],
  ...(["identical", "exact", "paper", "totals"] as const).map((mode): (typeof releases)[number] => [
    `groups, ${mode}`,
    { ...groups, mode },
  ]),
]

/** Edges as texts with their weights. Edges of weight 0 do not count. */
function listEdges({ queries, urls, clicks, transitions }: ClickEdges): [string, string, number][] {
  return [
    { ...clicks, texts: urls },
    { ...transitions, texts: queries },
  ].flatMap(({ from, to, weight, texts }) =>
    Array.from(from, (source, i): [string, string, number] => {
      return [queries.text(source), texts.text(to[i] ?? -1), weight?.[i] ?? 1]
    }).filter(([, , own]) => own > 0),
  )
}

describe.each(releases)("a release by %s", (_, method) => {
  const path = write(aolText(planted))

  test("has synthetic edges from people's own queries to those that others share", async () => {
    const { subject, context } = await draftOf(path, method)
    const edges = listEdges(await edgesOfRelease(subject.release, context))
    expect(edges.some(([from, to]) => isOwn(from) && animals.includes(to))).toBe(true)
    const values = valuesOf(await measure(subject, { only: ["retrieval"] }, context))
    expect(values["walk-ndcg_cut_10-seen"]).toBeGreaterThan(values["clicks-ndcg_cut_10"] ?? 1)
  })

  test("has no edge from or to a query that only left-out users issued", async () => {
    const { subject, context } = await draftOf(path, method)
    const without = removerOf(await edgesOfRelease(subject.release, context), subject.log)
    const { foldOf } = gatherTests(subject.log, { folds: 5, queries: 1, seed: 1 })
    for (let fold = 0; fold < 5; fold++) {
      const marked = foldOf.map((own) => (own === fold ? 1 : 0))
      const others = new Set(
        planted.filter(({ user }) => marked[subject.log.users.find(user)] === 0).map(({ query }) => query),
      )
      const left = listEdges(without(marked))
      expect(left.length).toBeGreaterThan(0)
      for (const [from, to] of left) expect([from, to.startsWith("http") || others.has(to)]).toEqual([from, true])
      for (const [from] of left) expect(others).toContain(from)
    }
  })

  test("is worth no more to a walk than its clicks or the log, and suggests nothing after own queries", async () => {
    const { subject, context } = await draftOf(path, method)
    const outcomes = await measure(subject, { only: ["retrieval", "suggestions"] }, context)
    const values = valuesOf(outcomes)
    // The four shared queries of 84, each answered in full.
    expect(values["walk-ndcg_cut_10"]).toBeCloseTo(values["clicks-ndcg_cut_10"] ?? -1, 12)
    expect(values["walk-ndcg_cut_10"]).toBeLessThanOrEqual(4 / 84 + 1e-12)
    expect(values["suggestions-answered"]).toBe(0)
  })
})

/** The queries that have edges: all but one of the log's, and one that the log does not have. */
const texts = ["cars", "cheap cars", "maps", "news", "made up"]

/** What is left without some users, counted from the searches by hand. */
function leaveOutByHand(
  edges: { clicks: Edge[]; transitions: (Edge & { urls: [string, string] })[] },
  { searches, isMarked }: { searches: readonly Search[]; isMarked: (user: string) => boolean },
): Map<string, number> {
  const known = searches.filter(({ query }) => texts.includes(query))
  const share = (found: readonly { user: string }[]) =>
    found.length === 0 ? 1 : found.filter(({ user }) => !isMarked(user)).length / found.length
  const ofQuery = (text: string) => share(known.filter(({ query }) => query === text))
  const clicksOn = (text: string, page: string) => known.filter(({ query, url }) => query === text && url === page)
  const ofRow = (text: string, page: string) =>
    clicksOn(text, page).length === 0 ? ofQuery(text) : share(clicksOn(text, page))
  const seconds = ({ time }: Search) => Date.parse(`${time.replace(" ", "T")}Z`) / 1000
  const follows = [...new Set(known.map(({ user }) => user))].flatMap((user) => {
    const own = known.filter((search) => search.user === user).sort((a, b) => seconds(a) - seconds(b))
    return own.slice(1).flatMap((search, i) => {
      const before = own[i]
      if (before === undefined || before.query === search.query || seconds(search) - seconds(before) > 1800) return []
      return [{ user, from: before.query, to: search.query }]
    })
  })
  const left = new Map<string, number>()
  const add = (edge: string, weight: number) => weight > 0 && left.set(edge, (left.get(edge) ?? 0) + weight)
  for (const { from, to, weight } of edges.clicks) {
    const made = clicksOn(from, to)
    const ofUrl = share(known.filter(({ url }) => url === to))
    add(`${from} > ${to}`, weight * (made.length > 0 ? share(made) : Math.min(ofQuery(from), ofUrl)))
  }
  const together = (from: string, to: string) => {
    const issued = (user: string, text: string) => known.some((search) => search.user === user && search.query === text)
    const users = [...new Set(known.map(({ user }) => user))].filter((user) => issued(user, from) && issued(user, to))
    return share(users.map((user) => ({ user })))
  }
  for (const edge of new Set(edges.transitions.map(({ from, to }) => `${from} > ${to}`))) {
    const same = edges.transitions.filter(({ from, to }) => `${from} > ${to}` === edge)
    const [from = "", to = ""] = edge.split(" > ")
    if (from === to) continue
    const weight = same.reduce((sum, one) => sum + one.weight, 0)
    const made = follows.filter((one) => one.from === from && one.to === to)
    const inLog = Math.min(weight, made.length)
    const ofRows = same.reduce(
      (sum, one) => sum + one.weight * Math.min(ofRow(from, one.urls[0]), ofRow(to, one.urls[1])),
      0,
    )
    const beyond = Math.min(ofRows / weight, share(made), together(from, to))
    add(edge, inLog * share(made) + (weight - inLog) * beyond)
  }
  return left
}

interface Edge {
  from: string
  to: string
  weight: number
}

describe("leaving users out of any edges", () => {
  const pages = ["http://a.example", "http://b.example", "http://unknown.example"]
  const weight = fc.constantFrom(1, 2, 5)
  const text = fc.constantFrom(...texts)
  const page = fc.constantFrom(...pages)
  const clicks = fc.array(fc.record({ from: text, to: page, weight }), { minLength: 1, maxLength: 8 })
  const transitions = fc.array(fc.record({ from: text, to: text, weight, urls: fc.tuple(page, page) }), {
    maxLength: 12,
  })
  /** No two searches of one person at the same time, because their order would depend on ids. */
  const searches = clickedSearches.map((all) => [
    ...new Map(all.map((search) => [`${search.user} ${search.time}`, search])).values(),
  ])

  test("leaves what a count by hand leaves", async () => {
    await fc.assert(
      fc.asyncProperty(searches, clicks, transitions, fc.nat({ max: 255 }), async (all, ofClicks, following, mask) => {
        const log = await readSearches(write(aolText(all)))
        const isMarked = (user: string) => (mask >> Number(user)) % 2 === 1
        const [queries, urls] = [dictionaryOf(texts), dictionaryOf(pages)]
        const columns = (edges: readonly Edge[], targets: typeof urls) => ({
          from: Int32Array.from(edges, ({ from }) => queries.find(from)),
          to: Int32Array.from(edges, ({ to }) => targets.find(to)),
          weight: Float64Array.from(edges, (edge) => edge.weight),
        })
        const edges = {
          ...{ queries, urls, clicks: columns(ofClicks, urls), transitions: columns(following, queries) },
          transitionUrls: {
            before: Int32Array.from(following, (edge) => urls.find(edge.urls[0])),
            after: Int32Array.from(following, (edge) => urls.find(edge.urls[1])),
          },
        }
        const marked = Uint8Array.from({ length: log.users.size }, (_, user) =>
          isMarked(log.users.text(user)) ? 1 : 0,
        )
        const expected = leaveOutByHand({ clicks: ofClicks, transitions: following }, { searches: all, isMarked })
        const found = new Map(
          listEdges(removerOf(edges, log)(marked)).map(([from, to, own]) => [`${from} > ${to}`, own]),
        )
        expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
        for (const [edge, own] of found) expect(own).toBeCloseTo(expected.get(edge) ?? -1, 9)
      }),
      { numRuns: 300 },
    )
  })
})
