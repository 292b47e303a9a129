import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { secondsOf, swapSearches, type TrailRow } from "./swap-searches.ts"
import { topics, townSearches, wordOf } from "./town.ts"

const { write } = scratchFolder()

const searches = townSearches({ users: 30, each: 30 })
const eventsOf = (rows: readonly Search[]) =>
  new Set(rows.map(({ user, query, time }) => [user, query, time].join("|"))).size

describe("anonymize swap, strict", () => {
  test("releases searches with all their rows, each under another user of its cell of k + 1", async () => {
    const { trail, cells, rows } = await swapSearches(searches)
    expect(rows).toBe(trail.length)
    expect(rows).toBeGreaterThan(searches.length / 4)
    for (const cell of cells) {
      const issuers = new Set(cell.map(({ query }) => query.user))
      expect(issuers.size).toBe(4)
      expect(new Set(cell.map(({ user }) => user.user))).toEqual(issuers)
      expect(new Set(cell.map(({ name }) => name)).size).toBe(4)
      for (const { text, query, user } of cell) {
        expect(text).toBe(query.query)
        expect(user.user).not.toBe(query.user)
      }
    }
    const clicks = groupBy(searches, ({ user, query, time }) => [user, query, time].join("|"))
    for (const [key, released] of groupBy(trail, ({ query: { user, query, time } }) => [user, query, time].join("|")))
      expect(released.length).toBe(clicks.get(key)?.length)
  })

  test("shows one name per user, the same for the whole release, with --users pseudonym", async () => {
    const { trail } = await swapSearches(searches, { users: "pseudonym" })
    for (const [, rows] of groupBy(trail, ({ user }) => user.user))
      expect(new Set(rows.map(({ name }) => name)).size).toBe(1)
    for (const [, rows] of groupBy(trail, ({ name }) => name))
      expect(new Set(rows.map(({ user }) => user.user)).size).toBe(1)
  })

  test("gives all records of a cell the time at which it closed, which is that of its youngest", async () => {
    for (const cell of (await swapSearches(searches)).cells) {
      const youngest = Math.max(...cell.map(({ query }) => secondsOf(query.time)))
      expect(new Set(cell.map(({ time }) => time))).toEqual(new Set([youngest]))
    }
  })

  test("draws the order of the rows that one name has at one time, so that it reveals nothing", async () => {
    // One second for all. The log is sorted by user, so the order of its texts is that of its users.
    const time = timeAfter(0)
    const oneSecond = Array.from({ length: 1600 }, (_, i): Search => {
      return { user: String(100 + Math.floor(i / 40)), query: `flu ${i}`, time }
    })
    const { trail } = await swapSearches(oneSecond, { backlog: 1000, users: "pseudonym" })
    const numberOf = (row: TrailRow | undefined) => Number(row?.text.split(" ")[1])
    let ascending = 0
    let pairs = 0
    for (const [, rows] of groupBy(trail, ({ name }) => name)) {
      for (let i = 1; i < rows.length; i++) {
        if (numberOf(rows[i - 1]) < numberOf(rows[i])) ascending++
        pairs++
      }
    }
    // Each pair is ascending with probability 1/2, and neighbouring pairs rarely both are: the spread is less than that
    // of a coin. Six of its standard deviations: a false alarm in 5 · 10⁸ seeds. In the log's own order all are
    // ascending.
    expect(pairs).toBeGreaterThan(500)
    expect(Math.abs(ascending - pairs / 2)).toBeLessThan(6 * Math.sqrt(pairs / 4))
  })

  test("takes searches of one time in the order of their first lines, whichever click has the best rank", async () => {
    const at = timeAfter(0)
    const click = (rank: number) => ({ rank, url: `http://${rank}.example` })
    const order: Search[] = [
      { user: "a", query: "flu first", time: at, ...click(2) },
      { user: "a", query: "flu second", time: at },
      { user: "a", query: "flu first", time: at, ...click(1) },
      ...["b", "c", "d"].map((user) => ({ user, query: `flu ${user}`, time: timeAfter(60) })),
    ]
    const { trail } = await swapSearches(order)
    expect(trail.filter(({ query }) => query.user === "a").map(({ text }) => text)).toEqual(["flu first", "flu first"])
  })

  test("swaps within a topic, and within the topic above when it is cut", async () => {
    const deep = await swapSearches(searches)
    for (const cell of deep.cells) expect(new Set(cell.map(({ text }) => text.split(" ")[0])).size).toBe(1)
    const { cells } = await swapSearches(searches, { depth: "1" })
    const top = (text: string) => topics.find((path) => text.startsWith(wordOf(path)))?.split("/")[0]
    for (const cell of cells) expect(new Set(cell.map(({ text }) => top(text))).size).toBe(1)
    expect(cells.some((cell) => new Set(cell.map(({ text }) => text.split(" ")[0])).size > 1)).toBe(true)
  })

  test("counts what it withholds, so that everything adds up", async () => {
    const strange = searches.map((search, i) => (i % 10 === 0 ? { ...search, query: `other ${i}` } : search))
    for (const options of [{}, { repeats: "keep" }, { minQueryUsers: 8 }, { backlog: 1, k: 12, depth: "1" }] as const) {
      const { trail, draft } = await swapSearches(strange, options)
      const withheld = Object.values(draft.withheld).reduce((sum, count) => sum + count, 0)
      expect(eventsOf(trail.map(({ query }) => query)) + withheld).toBe(eventsOf(strange))
    }
    const { draft } = await swapSearches(strange, { backlog: 1, k: 12, depth: "1" })
    expect(draft.withheld["searches over the backlog of their user"]).toBeGreaterThan(0)
    expect(draft.withheld["searches without a topic"]).toBeGreaterThan(0)
  })

  test("releases a query of a user once, or again with --repeats keep", async () => {
    const pairs = (rows: readonly TrailRow[]) =>
      [...groupBy(rows, ({ query }) => `${query.user}|${query.query}`)].map(
        ([, of]) => new Set(of.map(({ cell }) => cell)).size,
      )
    expect(Math.max(...pairs((await swapSearches(searches)).trail))).toBe(1)
    expect(Math.max(...pairs((await swapSearches(searches, { repeats: "keep" })).trail))).toBeGreaterThan(1)
  })

  test("releases a query of a user once, also where it was held back more than once", async () => {
    const order = ["c one", "x one", "d two", "x two", "a red", "a red", "b red", "e one", "f one", "g one", "h one"]
    const held = order.map((text, i): Search => {
      const [user = "", word] = text.split(" ")
      return { user, query: `flu ${word}`, time: timeAfter(i * 60) }
    })
    const { trail, draft } = await swapSearches(held, { minQueryUsers: 2, cellTexts: "any" })
    const ofA = trail.filter(({ query }) => query.user === "a" && query.query === "flu red")
    expect(new Set(ofA.map(({ cell }) => cell)).size).toBe(1)
    expect(draft.withheld["searches that repeat a released one"]).toBe(1)
  })

  test("shows a url only if k users clicked it, whoever it is shown with", async () => {
    // Everyone searches. Only one person clicks, on a page of their own, again and again.
    const lonely = Array.from({ length: 200 }, (_, i): Search => {
      const user = String(i % 5)
      const click = user === "0" ? { rank: 1, url: "http://lonely.example" } : { rank: 2, url: "http://common.example" }
      return { user, query: `flu ${i}`, time: timeAfter(i * 60), ...click }
    })
    const { draft } = await swapSearches(lonely)
    const shown = [...draft.rows.order].map((row) => draft.rows.log.url[row] ?? -1)
    const isShown = (url: number) => url >= 0 && draft.rows.urlShown[url] === 1
    expect(new Set(shown.filter(isShown)).size).toBe(1)
    expect(shown.filter(isShown).length).toBeGreaterThan(shown.length / 2)
  })

  test("holds a query back until enough users issued it", async () => {
    const { trail } = await swapSearches(searches, { minQueryUsers: 8 })
    expect(trail.length).toBeGreaterThan(0)
    for (const { text, time } of trail) {
      const before = searches.filter(({ query, time: at }) => query === text && secondsOf(at) <= time)
      expect(new Set(before.map(({ user }) => user)).size).toBeGreaterThanOrEqual(8)
    }
  })

  test("pools the siblings of a sensitive topic with it", async () => {
    const { cells } = await swapSearches(searches, { sensitiveCategories: "# private\nhealth/illness/flu\n" })
    const together = cells.map((cell) => new Set(cell.map(({ text }) => text.split(" ")[0])))
    expect(together.some((words) => words.has("flu") && words.has("migraine"))).toBe(true)
    for (const words of together) if (words.has("diet") || words.has("rail")) expect(words.size).toBe(1)
  })

  test("keeps the list of sensitive topics out of the manifest", async () => {
    const { draft } = await swapSearches(searches, { sensitiveCategories: "health/illness/flu\n" })
    expect(JSON.stringify(draft.manifest)).not.toContain("illness")
  })

  test("names none of the owner's files in the manifest", async () => {
    const { manifest } = (await swapSearches(searches)).draft
    expect(manifest.parameters).toMatchObject({ taxonomy: "own", classifier: "own" })
    expect(JSON.stringify(manifest)).not.toContain("topics.tsv")
  })

  test("goes as deep as the delay allows with --depth auto", async () => {
    const words = async (maxDelay: number) => {
      const { cells } = await swapSearches(searches, { depth: "auto", maxDelay })
      return Math.max(...cells.map((cell) => new Set(cell.map(({ text }) => text.split(" ")[0])).size))
    }
    expect(await words(1000)).toBe(1)
    expect(await words(0)).toBeGreaterThan(2) // no topic is quick enough, so all are one
  })

  test("promises 1/k and says what the attackers found, where no text comes twice", async () => {
    const { draft } = await swapSearches(
      searches.map((search) => ({ ...search, query: `${search.query} ${search.time}` })),
    )
    const { guarantee } = draft.manifest
    expect(guarantee).toMatchObject({
      model: "swap",
      unit: "record",
      k: 3,
      promised: true,
      posterior: 1 / 3,
      insider: expect.closeTo(2 / 3, 12),
    })
    expect(guarantee.statement).toContain("at most 0.3333, and of at most 0.6667 if they are one of the 4")
    expect(guarantee).toMatchObject({ measured: { tried: 12, over: false } })
  })

  test("promises nothing where comparing the cells of few texts names more users than 1/k allows", async () => {
    const { draft } = await swapSearches(searches, { users: "day", repeats: "once" })
    const { guarantee } = draft.manifest
    expect(guarantee).toMatchObject({
      promised: false,
      measured: { attacker: "compared-cells", tried: 12, over: true },
      statement: expect.stringMatching(/^Nothing is promised: .* more often than 1 in 3\. .* \(compared-cells\)/),
    })
    expect(draft.warnings.join()).toMatch(/Nothing is promised: .*\(compared-cells\).* --repeats never/)
    expect(guarantee).not.toHaveProperty("posterior")
    expect(guarantee).not.toHaveProperty("insider")
  })

  test.each([1, 2, 40])(
    "lets each text leave with one cell, and promises 1/k, with --repeats never (backlog %i)",
    async (backlog) => {
      const { cells, draft } = await swapSearches(searches, { repeats: "never", backlog })
      const texts = cells.flatMap((cell) => [...new Set(cell.map(({ text }) => text))])
      expect(new Set(texts).size).toBe(texts.length)
      expect(texts.length).toBeGreaterThan(20)
      expect(draft.manifest.guarantee).toMatchObject({ promised: true, measured: { over: false } })
      expect(draft.manifest.guarantee.notCovered.join()).not.toContain("several cells")
    },
  )

  test("lets each text leave with one cell where names last longer than it, and says so", async () => {
    const context = createContext({ workers: 1, seed: 7 })
    const { log } = await readLog(write(aolText(searches)), {}, context)
    const rule = async (options: Omit<MethodChoice<"swap">, "method">) =>
      (await anonymize(log, { method: "swap", k: 3, ...options }, context)).manifest.parameters.repeats
    const options = [{}, { users: "day" }, { mode: "paper" }, { preset: "paper" }, { repeats: "once" }] as const
    expect(await Promise.all(options.map(rule))).toEqual(["keep", "never", "keep", "keep", "once"])
  })

  test("has no cells to keep texts apart in paper mode, and says so", async () => {
    await expect(swapSearches(searches, { repeats: "never", mode: "paper" })).rejects.toMatchObject({
      code: "option-value",
      message: expect.stringContaining("--repeats never: needs cells"),
    })
  })

  test("promises nothing where a record keeps its own time", async () => {
    const { draft, trail } = await swapSearches(searches, { time: "own" })
    expect(draft.manifest.guarantee).toMatchObject({
      promised: false,
      statement: expect.stringContaining("Nothing is promised"),
    })
    for (const { time, query } of trail) expect(time).toBe(secondsOf(query.time))
  })

  test("releases nothing, and says why, when k is larger than the log", async () => {
    const { rows, draft } = await swapSearches(searches, { k: 100 })
    expect(rows).toBe(0)
    expect(draft.warnings.join()).toContain("no topic has enough of them")
  })
})

describe("anonymize swap, paper", () => {
  test("keeps own times, shows a user with as many records as they issued, and promises nothing", async () => {
    const { trail, draft } = await swapSearches(searches, { mode: "paper" })
    expect(draft.manifest.guarantee).toMatchObject({
      promised: false,
      statement: expect.stringContaining("Nothing is promised"),
    })
    for (const { query, user, time, users } of trail) {
      expect(user.user).not.toBe(query.user)
      expect(time).toBe(secondsOf(query.time))
      expect(users).toBe(4)
    }
  })

  test("with one user who issues a third of a topic, an attacker names them far more often than 1 in k", async () => {
    // The others issue one query each; k = 20.
    const heavy = Array.from({ length: 3000 }, (_, i): Search => {
      const user = i % 3 === 0 ? "heavy" : `user ${i}`
      return { user, query: `flu ${i}`, time: timeAfter(i * 60) }
    })
    const paper = await swapSearches(heavy, { mode: "paper", k: 20, users: "pseudonym" })
    const strict = await swapSearches(heavy, { k: 20, users: "pseudonym" })
    expect(paper.draft.manifest.guarantee).toMatchObject({ measured: { share: expect.closeTo(1 / 3, 1) } })
    expect(strict.draft.manifest.guarantee).toMatchObject({ measured: { share: expect.closeTo(1 / 20, 1) } })
  })
})
