import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import type { Table } from "#dist/kernels/table.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { anonymize, type Draft } from "#dist/release/anonymize.js"
import type { MethodOptions } from "#dist/release/method-options.js"
import { openDraftAudit } from "#dist/release/read-audit.js"
import { openDraft } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { isOpen } from "../support/open-checks.ts"
import { refusal } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { choices, searches } from "./random-logs.ts"

const { fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })
const runs = { numRuns: 50 }

async function release(rows: readonly Search[], options: MethodOptions["groups"] & { preset?: "paper" }) {
  const { log } = await readLog(write(aolText(rows), "log.tsv"), {}, context)
  const draft = await anonymize(log, { ...options, method: "groups" }, context)
  return { log, draft, released: await openDraft(draft).log(context), audit: tablesOf(draft) }
}

const rowsOf = ({ rows, columns, cell }: Table) =>
  Array.from({ length: rows }, (_, row) => columns.map((_, column) => String(cell(row, column))))

/** The audit: the cluster of each query, and the users of each group with its centroid. */
function tablesOf({ audit }: Draft) {
  const groups = groupBy(rowsOf(audit.groups), ([, group]) => group)
  return {
    clusterOf: new Map(rowsOf(audit.clusters).map(([query = "", cluster = ""]) => [query, cluster])),
    groups: [...groups.values()].map((lines) => ({
      users: lines.map(([user = ""]) => user),
      centroids: lines.filter(([, , centroid]) => centroid === "1").length,
    })),
  }
}

const textsOf = (log: SearchLog) =>
  Array.from({ length: log.rows }, (_, row) => ({
    user: log.users.text(log.user[row]),
    query: log.queries.text(log.query[row]),
    url: log.url[row] < 0 ? "" : log.urls.text(log.url[row]),
    time: log.time[row],
    rank: log.rank[row],
  }))
type Row = ReturnType<typeof textsOf>[number]

/** Counts of texts. */
function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const cellOf = (clusterOf: ReadonlyMap<string, string>) => (row: Row) => `${clusterOf.get(row.query)} ${row.url}`

/** Shares of cells, as exact fractions of the total. */
function normalised(rows: readonly Row[], clusterOf: ReadonlyMap<string, string>): string {
  const counts = [...tally(rows.map(cellOf(clusterOf)))].sort()
  const divisor = counts.reduce((a, [, b]) => gcd(a, b), 0)
  return JSON.stringify(counts.map(([cell, count]) => [cell, count / divisor]))
}
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

const leastRepeats = (keys: readonly string[]) => Math.min(...tally(keys).values())

describe("the promise of groups is kept in the release:", () => {
  test("identical: k names have the same texts and urls, each as often", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const { released } = await release(rows, { ...options, mode: "identical" })
        const names = [...groupBy(textsOf(released), ({ user }) => user).values()]
        const keys = names.map((own) => JSON.stringify(own.map(({ query, url }) => [query, url]).sort()))
        expect(leastRepeats(keys)).toBeGreaterThanOrEqual(options.k)
      }),
      runs,
    )
  })

  test("exact: k names have the same normalised matrix", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const { released, audit } = await release(rows, { ...options, mode: "exact" })
        const names = [...groupBy(textsOf(released), ({ user }) => user).values()]
        expect(leastRepeats(names.map((own) => normalised(own, audit.clusterOf)))).toBeGreaterThanOrEqual(options.k)
      }),
      runs,
    )
  })

  test("paper: each member has ⌈c·N / C⌉ objects in each cell of the centroid and none elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        // Everything can be shown and users keep their names, so members and centroids are known.
        const open = {
          mode: "paper",
          minQueryUsers: 1,
          minCluster: 1,
          urls: "keep",
          scrub: "none",
          users: "keep",
        } as const
        const { log, draft, released, audit } = await release(rows, { ...options, ...open })
        const before = groupBy(
          textsOf(log).filter(({ url }) => url !== ""),
          ({ user }) => user,
        )
        const after = groupBy(textsOf(released), ({ user }) => user)
        const centroidOf = new Set(rowsOf(draft.audit.groups).flatMap(([user, , is]) => (is === "1" ? [user] : [])))
        for (const { users } of audit.groups) {
          const centroid = before.get(users.find((user) => centroidOf.has(user)) ?? "") ?? []
          const cells = tally(centroid.map(cellOf(audit.clusterOf)))
          for (const user of users) {
            const total = before.get(user)?.length ?? 0
            const expected = [...cells].map(([cell, count]) => [
              cell,
              Math.ceil((count * total) / centroid.length - 1e-9),
            ])
            expect([...tally((after.get(user) ?? []).map(cellOf(audit.clusterOf)))].sort()).toEqual(expected.sort())
          }
        }
      }),
      runs,
    )
  })

  test("totals: each member keeps its number of objects, split nearest to the centroid's shares", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const open = {
          mode: "totals",
          minQueryUsers: 1,
          minCluster: 1,
          urls: "keep",
          scrub: "none",
          users: "keep",
        } as const
        const { log, draft, released, audit } = await release(rows, { ...options, ...open })
        const clicks = textsOf(log).filter(({ url }) => url !== "")
        const before = groupBy(clicks, ({ user }) => user)
        const after = groupBy(textsOf(released), ({ user }) => user)
        const centroidOf = new Set(rowsOf(draft.audit.groups).flatMap(([user, , is]) => (is === "1" ? [user] : [])))
        for (const { users } of audit.groups) {
          const centroid = before.get(users.find((user) => centroidOf.has(user)) ?? "") ?? []
          const cells = tally(centroid.map(cellOf(audit.clusterOf)))
          for (const user of users) {
            const total = before.get(user)?.length ?? 0
            const found = tally((after.get(user) ?? []).map(cellOf(audit.clusterOf)))
            expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBe(total)
            expect([...found.keys()].filter((cell) => !cells.has(cell))).toEqual([])
            // Nobody who is rounded up has a smaller remainder than somebody who is rounded down. Remainders are in
            // units of 1 / C.
            const shares = [...cells].map(([cell, count]) => {
              const due = count * total
              const down = Math.floor(due / centroid.length)
              return { up: (found.get(cell) ?? 0) - down, remainder: due % centroid.length }
            })
            expect(shares.every(({ up }) => up === 0 || up === 1)).toBe(true)
            const least = Math.min(...shares.filter(({ up }) => up === 1).map(({ remainder }) => remainder))
            const most = Math.max(0, ...shares.filter(({ up }) => up === 0).map(({ remainder }) => remainder))
            expect(least).toBeGreaterThanOrEqual(most)
          }
        }
        const { guarantee } = draft.manifest
        expect(guarantee.model === "groups" && guarantee.remains?.change).toBe(0)
      }),
      runs,
    )
  })

  test("a largest distance: members are within it of their centroid, and others are left out and counted", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, fc.constantFrom(0, 0.3, 0.5, 0.9), async (rows, options, maxDistance) => {
        const all = { ...options, minQueryUsers: 1, minCluster: 1, urls: "keep", scrub: "none", users: "keep" } as const
        const { log, draft, released, audit } = await release(rows, { ...all, maxDistance })
        const clicks = textsOf(log).filter(({ url }) => url !== "")
        const shares = new Map(
          [...groupBy(clicks, ({ user }) => user)].map(([user, own]) => {
            const counts = tally(own.map(cellOf(audit.clusterOf)))
            return [user, new Map([...counts].map(([cell, count]) => [cell, count / own.length]))]
          }),
        )
        const distance = (a: string, b: string) => {
          const [x, y] = [shares.get(a) ?? new Map<string, number>(), shares.get(b) ?? new Map<string, number>()]
          const cells = [...new Set([...x.keys(), ...y.keys()])]
          return cells.reduce((sum, cell) => sum + Math.abs((x.get(cell) ?? 0) - (y.get(cell) ?? 0)), 0) / 2
        }
        const lines = rowsOf(draft.audit.groups)
        const centroids = new Map(lines.flatMap(([user = "", group = "", is]) => (is === "1" ? [[group, user]] : [])))
        for (const [user = "", group = ""] of lines)
          expect(distance(user, centroids.get(group) ?? "")).toBeLessThanOrEqual(maxDistance + 1e-9)
        const listed = new Set(lines.map(([user]) => user))
        const left = [...shares.keys()].filter((user) => !listed.has(user))
        for (const user of left)
          for (const centroid of centroids.values())
            expect(distance(user, centroid)).toBeGreaterThan(maxDistance - 1e-9)
        expect(draft.withheld["users with a click who are in no group"]).toBe(left.length)
        for (const { user } of textsOf(released)) expect(listed).toContain(user)
        for (const { users } of audit.groups) expect(users.length).toBeGreaterThanOrEqual(options.k)
      }),
      runs,
    )
  })

  test("every user with a click is in one group of at least k, with one centroid", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const { audit, log } = await release(rows, { ...options, maxDistance: 1, scrub: "none" })
        const clickers = [...new Set(textsOf(log).flatMap(({ user, url }) => (url === "" ? [] : [user])))].sort()
        const grouped = audit.groups.flatMap(({ users }) => users).sort()
        expect(grouped).toEqual(clickers.length < options.k ? [] : clickers)
        for (const { users, centroids } of audit.groups) {
          expect(users.length).toBeGreaterThanOrEqual(options.k)
          expect(centroids).toBe(1)
        }
      }),
      runs,
    )
  })

  test("no text of too few users, no url of too few, no pair that nobody clicked, no rank", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const { log, released } = await release(rows, options)
        const original = textsOf(log)
        const usersOf = (pick: (row: Row) => string) =>
          new Map(
            [...groupBy(original, pick)].map(([text, held]) => [text, new Set(held.map(({ user }) => user)).size]),
          )
        const [ofQuery, ofUrl] = [usersOf(({ query }) => query), usersOf(({ url }) => url)]
        const clicked = new Set(original.map(({ query, url }) => JSON.stringify([query, url])))
        for (const { query, url, rank } of textsOf(released)) {
          expect(ofQuery.get(query) ?? 0).toBeGreaterThanOrEqual(Number(options.minQueryUsers ?? options.k))
          expect(ofUrl.get(url) ?? 0).toBeGreaterThanOrEqual(options.urls === "keep" ? 1 : options.k)
          expect(clicked.has(JSON.stringify([query, url])) && url !== "").toBe(true)
          expect(rank).toBe(0xffff)
        }
      }),
      runs,
    )
  })

  test("it verifies, with the original and the audit", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, options) => {
        const { log, draft } = await release(rows, options)
        const checks = await verify({ release: openDraft(draft), log, audit: openDraftAudit(draft) }, context)
        // A draft has no files yet.
        expect(checks.filter((one) => one.name !== "files" && isOpen(one))).toEqual([])
      }),
      runs,
    )
  })
})

/**
 * Four readers of news and four of maps. One uses a text of their own for the same page, one clicks a page of their
 * own.
 */
const town = Array.from({ length: 8 }, (_, i): Search[] => {
  const at = (query: string, site: string, hours: number): Search => {
    return { user: `reader-${i}`, query, time: timeAfter(hours * 3600 + i * 60), rank: 2, url: `http://${site}` }
  }
  const reads = i < 4 ? "news" : "maps"
  return [
    at(reads, reads, i),
    at(i === 0 ? "my own news" : reads, reads, i + 1),
    ...(i === 5 ? [at("maps", "maps-of-one", 9)] : []),
    { user: `reader-${i}`, query: "no click", time: timeAfter(1) },
  ]
}).flat()

describe("the trail", () => {
  test.each(["identical", "exact", "paper", "totals"] as const)(
    "leads from each %s row to a search in its cell, and to the user of its name",
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(searches, choices, async (rows, options) => {
          const { draft, released, audit } = await release(rows, { ...options, mode, users: "keep", scrub: "none" })
          const shown = textsOf(released)
          const inFile = Array.from(shown.keys()).sort((a, b) => released.line[a] - released.line[b])
          const groupOf = new Map(rowsOf(draft.audit.groups).map(([user = "", group = ""]) => [user, group]))
          const at = (line = "") => rows[Number(line) - 2]
          const trail = rowsOf(draft.audit.trail)
          expect(trail).toHaveLength(released.rows)
          trail.forEach(([place, search, person], i) => {
            const row = shown[inFile[i]]
            expect([Number(place), at(person)?.user]).toEqual([i + 1, row.user])
            const from = at(search)
            if (from === undefined) expect(search).toBe("")
            if (from === undefined) return
            const cell = cellOf(audit.clusterOf)
            expect(cell({ ...row, query: from.query.toLowerCase(), url: from.url ?? "" })).toBe(cell(row))
            if (mode === "identical") expect(groupOf.get(from.user)).toBe(groupOf.get(row.user))
            else expect(from.user).toBe(row.user)
          })
          // Without additions, every row has a search behind it.
          if (mode === "identical") expect(trail.every(([, search]) => search !== "")).toBe(true)
        }),
        runs,
      )
    },
  )
})

describe("a town of two habits", () => {
  test("becomes two groups; what only one person typed or clicked is not shown, and is counted", async () => {
    const { draft, released, audit } = await release(town, { k: 4 })
    expect(audit.groups.map(({ users }) => users.sort())).toEqual(
      expect.arrayContaining([
        ["reader-0", "reader-1", "reader-2", "reader-3"],
        ["reader-4", "reader-5", "reader-6", "reader-7"],
      ]),
    )
    expect([...tally(textsOf(released).map(({ query, url }) => `${query} ${url}`))].sort()).toEqual([
      ["maps http://maps", 8],
      ["news http://news", 8],
    ])
    expect(draft.withheld).toMatchObject({
      "rows without a click": 8,
      "rows whose url has too few users, or that no query of enough users can stand for": 1,
      "rows added to make users alike": 0,
      "rows left out to make users alike": 0,
      groups: 2,
    })
  })

  test("of fewer than k users gives an empty release and a warning", async () => {
    const { draft, released } = await release(town, { k: 9 })
    expect(released.rows).toBe(0)
    expect(draft.warnings.join()).toContain("Nothing can be released")
  })

  test.each([
    ["users", "session"],
    ["users", "drop"],
    ["time", "exact"],
    ["urls", "drop"],
  ])("refuses the column policy --%s %s", async (flag, value) => {
    expect(await refusal(release(town, { k: 4, [flag]: value }))).toMatchObject({ code: "option-value" })
    const log = write(aolText(town), "town.tsv")
    const { code, stderr } = await runCli(["anonymize", "groups", log, "-o", fresh(), `--${flag}`, value])
    expect(code).toBe(2)
    expect(stderr).toContain(`--${flag}`)
  })

  test("--preset paper takes the paper's rounding and shows every text", async () => {
    const { draft } = await release(town, { k: 4, preset: "paper" })
    expect(draft.manifest.parameters).toMatchObject({ mode: "paper", minQueryUsers: 1, scrub: "none" })
    const { guarantee } = draft.manifest
    expect(guarantee).toMatchObject({ model: "groups", unit: "user", remains: { distance: expect.any(Number) } })
    // The user who clicked a page of their own is at most a third off, whoever is the centroid.
    expect(guarantee.model === "groups" && (guarantee.remains?.distance ?? 1) <= 1 / 3).toBe(true)
  })
})
