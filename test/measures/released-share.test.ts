import { describe, expect, test } from "vitest"
import { measure } from "#dist/measures/registry.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { draftOf, reasonsOf, valuesOf } from "../support/drafts.ts"
import { groupBy } from "../support/group-by.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { busyTown } from "./retrieval/clicked-logs.ts"

const { write } = scratchFolder()
const town = smallTown().map((search) => ({ ...search, query: search.query.toLowerCase() }))
const log = write(aolText(town))

const middle = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

describe("what a user keeps", () => {
  test.each([1, 3, 6, 9])("is the share of their queries and events that is released, k = %i", async (k) => {
    const { subject, context } = await draftOf(log, { method: "equality", k, scrub: "none" })
    const values = valuesOf(await measure(subject, { only: ["kept-per-user"] }, context))
    const usersOf = (query: string) => new Set(town.filter((row) => row.query === query).map(({ user }) => user)).size
    const shares = (rows: string[]) => rows.filter((query) => usersOf(query) >= k).length / rows.length
    const people = [...groupBy(town, ({ user }) => user).values()].map((rows) => rows.map(({ query }) => query))
    expect(values["events-per-user@50"]).toBeCloseTo(middle(people.map(shares)), 12)
    expect(values["queries-per-user@50"]).toBeCloseTo(middle(people.map((rows) => shares([...new Set(rows)]))), 12)
    expect(values["queries-per-user@25"]).toBeLessThanOrEqual(values["queries-per-user@50"] ?? 0)
    expect(values["queries-per-user@75"]).toBeGreaterThanOrEqual(values["queries-per-user@50"] ?? 0)
  })

  test("does not apply to a release of concepts", async () => {
    const { subject, context } = await draftOf(log, { method: "wordnet", k: 2, scrub: "none" })
    const outcomes = await measure(subject, { only: ["kept-per-user", "f-beta"] }, context)
    expect(reasonsOf(outcomes)).toEqual([expect.stringContaining("concepts"), expect.stringContaining("--labels")])
  })
})

describe("what a log keeps", () => {
  const kept = async (options: Parameters<typeof draftOf>[1]) => {
    const { subject, audit, context } = await draftOf(log, options)
    return valuesOf(await measure({ ...subject, audit }, { only: ["events-kept"] }, context))
  }

  test("is the same by texts and by the audit's trail where whole queries are released", async () => {
    const values = await kept({ method: "equality", k: 3, scrub: "none" })
    const usersOf = (query: string) => new Set(town.filter((row) => row.query === query).map(({ user }) => user)).size
    const share = town.filter(({ query }) => usersOf(query) >= 3).length / town.length
    expect(values["events-kept"]).toBeCloseTo(share, 12)
    expect(values["events-traced"]).toBeCloseTo(share, 12)
  })

  test("is less by the trail where searches of one user are shown for others", async () => {
    const rows = busyTown()
    const path = write(aolText(rows))
    const { subject, audit, context } = await draftOf(path, { method: "groups", k: 4, scrub: "none", urls: "keep" })
    const values = valuesOf(await measure({ ...subject, audit }, { only: ["events-kept"] }, context))
    if (subject.release.kind !== "rows") throw new Error("groups release rows")
    const released = await subject.release.log(context)
    const byLine = [...released.line.keys()].sort((a, b) => (released.line[a] ?? 0) - (released.line[b] ?? 0))
    // What is under a user's name, at most as often as they searched for it themselves. Every search is one row here.
    const left = new Map(
      [...groupBy(rows, ({ user, query }) => `${user}|${query}`)].map(([key, own]) => [key, own.length]),
    )
    let traced = 0
    for await (const [row, , line] of audit.rows("trail", ["row", "query_row", "user_row"])) {
      const text = released.queries.text(released.query[byLine[Number(row) - 1] ?? -1] ?? -1)
      const key = `${rows[Number(line) - 2]?.user}|${text}`
      if ((left.get(key) ?? 0) > 0) traced++
      left.set(key, (left.get(key) ?? 0) - 1)
    }
    expect(values["events-traced"]).toBeCloseTo(traced / rows.length, 12)
    expect(values["events-traced"]).toBeLessThan(values["events-kept"] ?? 0)
    expect(traced).toBeGreaterThan(0)
  })
})
