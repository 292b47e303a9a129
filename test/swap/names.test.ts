import { describe, expect, test } from "vitest"
import { attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import type { MethodOptions } from "#dist/release/method-options.js"
import { openDraft } from "#dist/release/read-release.js"
import { timeAfter } from "../support/aol-log.ts"
import { valuesOf } from "../support/drafts.ts"
import { groupBy } from "../support/group-by.ts"
import { secondsOf, swapSearches, type TrailRow } from "./swap-searches.ts"
import { townSearches } from "./town.ts"

const start = secondsOf(timeAfter(0))
/** A week of a town: a search every eleven minutes. */
const searches = townSearches({ users: 30, each: 30 }).map((search) => ({
  ...search,
  time: timeAfter((secondsOf(search.time) - start) * 11),
}))

const dayOf = ({ time }: TrailRow) => Math.floor(time / 86400)
const shownUser = ({ user }: TrailRow) => user.user
const distinct = <T>(rows: readonly TrailRow[], of: (row: TrailRow) => T) => new Set(rows.map(of)).size
type Users = MethodOptions["swap"]["users"]
const named = async (users: Users) => (await swapSearches(searches, { users })).trail

/** Expects that names and keys correspond one to one: each name has one key, each key one name. */
function expectOneNameFor(rows: readonly TrailRow[], keyOf: (row: TrailRow) => string) {
  for (const [, own] of groupBy(rows, ({ name }) => name)) expect(distinct(own, keyOf)).toBe(1)
  for (const [, own] of groupBy(rows, keyOf)) expect(distinct(own, ({ name }) => name)).toBe(1)
}

describe("a name in a swapped release", () => {
  test("joins the searches for one text in one cell, with --users cell, which is the default", async () => {
    const { draft, trail } = await swapSearches(searches)
    expect(draft.manifest.parameters.users).toBe("cell")
    expectOneNameFor(trail, (row) => `${shownUser(row)} ${row.cell}`)
    for (const [, rows] of groupBy(trail, ({ name }) => name)) expect(distinct(rows, ({ text }) => text)).toBe(1)
  })

  test("joins the searches shown with a user until 30 minutes pass without one, with --users session", async () => {
    const trail = await named("session")
    const sessionOf = new Map<TrailRow, string>()
    for (const [user, rows] of groupBy(trail, shownUser)) {
      const sorted = rows.toSorted((a, b) => a.time - b.time)
      let session = 0
      for (const [i, row] of sorted.entries()) {
        if (i > 0 && row.time - sorted[i - 1].time > 1800) session++
        sessionOf.set(row, `${user} ${session}`)
      }
    }
    expectOneNameFor(trail, (row) => sessionOf.get(row) ?? "")
    expect(distinct(trail, ({ name }) => name)).toBeLessThan(distinct(trail, (row) => `${shownUser(row)} ${row.cell}`))
  })

  test("joins the searches shown with a user on one UTC day, with --users day", async () => {
    const trail = await named("day")
    expect(distinct(trail, dayOf)).toBeGreaterThan(5)
    expectOneNameFor(trail, (row) => `${shownUser(row)} ${dayOf(row)}`)
  })

  test("joins all searches shown with a user, with --users pseudonym, and is the user's own id with keep", async () => {
    expectOneNameFor(await named("pseudonym"), shownUser)
    for (const row of await named("keep")) expect(row.name).toBe(shownUser(row))
  })

  test("is not shown with --users drop", async () => {
    const { draft, trail } = await swapSearches(searches, { users: "drop" })
    expect(draft.manifest.columns).not.toContain("AnonID")
    expect(new Set(trail.map(({ name }) => name))).toEqual(new Set([""]))
  })

  test.each(["cell", "session", "day"] as const)(
    "has its rows at a random place of the file, with --users %s",
    async (users) => {
      const groups = [...groupBy(await named(users), ({ name }) => name).values()].map(([row]) => row)
      const neighbours = (isAlike: (a: TrailRow, b: TrailRow) => boolean) =>
        groups.filter((row, i) => i > 0 && isAlike(row, groups[i - 1])).length
      const alike = (isAlike: (a: TrailRow, b: TrailRow) => boolean) => {
        const pairs = groups.reduce((sum, a) => sum + groups.filter((b) => a !== b && isAlike(a, b)).length, 0)
        return pairs / groups.length
      }
      // As many neighbours as by chance, within six standard deviations: a false alarm in 10⁷ seeds or more.
      for (const isAlike of [
        (a: TrailRow, b: TrailRow) => shownUser(a) === shownUser(b),
        (a: TrailRow, b: TrailRow) => a.cell === b.cell,
        (a: TrailRow, b: TrailRow) => a.time < b.time,
      ]) {
        const expected = alike(isAlike)
        expect(groups.length).toBeGreaterThan(100)
        expect(Math.abs(neighbours(isAlike) - expected)).toBeLessThan(6 * Math.sqrt(expected + 1))
      }
    },
  )
})

describe("what the manifest says about names", () => {
  test.each([
    ["cell", true],
    ["drop", true],
    ["pseudonym", false],
    ["keep", false],
  ] as const)("--users %s: promised %s", async (users, promised) => {
    const { draft } = await swapSearches(searches, { users, repeats: "never" })
    expect(draft.manifest.guarantee).toMatchObject({ names: users, promised })
    if (!promised) expect(draft.warnings.join()).toContain("Nothing is promised: one name joins all searches of a user")
  })

  test.each(["cell", "session", "day", "pseudonym"] as const)(
    "states rounded figures, and the receipt exact ones: %s",
    async (users) => {
      const { draft } = await swapSearches(searches, { users })
      const { guarantee } = draft.manifest
      if (guarantee.model !== "swap" || draft.measured === undefined) throw new Error("expected a swapped release")
      const { measured } = guarantee
      const { attacker, share, named, right } = draft.measured
      expect(share).toBe(Number(right) / Number(named))
      expect(measured).toMatchObject({ attacker, named: Number(Number(named).toPrecision(2)) })
      expect(measured.share).toBeGreaterThanOrEqual(Number(share))
      expect(measured.share).toBeLessThan(Number(share) + 0.01)
      expect(Math.abs(measured.share * 100 - Math.round(measured.share * 100))).toBeLessThan(1e-9)
    },
  )

  test("says how often two known searches lead to a name, where it lasts longer than a cell", async () => {
    for (const users of ["session", "day", "pseudonym"] as const) {
      const { draft } = await swapSearches(searches, { users })
      const known = Math.ceil(100 * Number(draft.measured?.["known-searches@2"]) - 1e-9)
      expect(draft.manifest.guarantee.notCovered).toContainEqual(
        [
          "known searches: an attacker who knows two released searches of a person",
          `finds the person's name in ${known} % of cases`,
        ].join(" "),
      )
      expect(Object.keys(draft.measured ?? {}).filter((name) => name.startsWith("known-searches@"))).toHaveLength(6)
    }
    for (const users of ["cell", "drop"] as const) {
      const { draft } = await swapSearches(searches, { users })
      expect(draft.manifest.guarantee.notCovered.join()).not.toContain("known searches")
    }
  })
})

test("original pairs are searches shown with a user who issued the same text", async () => {
  for (const options of [{}, { users: "pseudonym" }, { mode: "paper" }] as const) {
    const { draft, trail, audit, input, given } = await swapSearches(searches, options)
    const issued = new Set(searches.map(({ user, query }) => `${user} ${query}`))
    const events = new Map(trail.map((row) => [`${row.query.user} ${row.query.query} ${row.query.time}`, row]))
    const kept = [...events.values()].filter((row) => issued.has(`${shownUser(row)} ${row.text}`)).length
    const found = await attack(
      { log: input.log, release: openDraft(draft), audit },
      { only: ["linkage"], values: given },
      createContext({ workers: 1, seed: 1 }),
    )
    expect(kept).toBeGreaterThan(0)
    expect(valuesOf(found)["linkage/original-pairs"]).toBeCloseTo(kept / events.size, 12)
  }
})
