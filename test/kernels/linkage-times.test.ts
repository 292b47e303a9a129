import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkByCells } from "#dist/kernels/linkage/read-cells.js"
import { linkByOrder } from "#dist/kernels/linkage/read-order.js"
import { scoreLinkage } from "#dist/kernels/linkage/score-linkage.js"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { anyRows, byCategory } from "../support/linkage-rows.ts"
import { type Arrival, type Departure, streamOf, swapInCells, swapOneByOne } from "../support/swapped-streams.ts"

/**
 * Runs of at most k + 1 distinct users, each with consecutive records of one text. A new time ends a run if times are
 * shared.
 */
function cutCells<Row extends Departure>(own: readonly Row[], { k, shared }: { k: number; shared: boolean }): Row[][] {
  const cells: Row[][] = []
  own.forEach((row, i) => {
    const before = own[i - 1]
    const cell = cells.at(-1)
    const users = new Set(cell?.map(({ user }) => user))
    const sameUnit = i > 0 && row.user === before.user && row.text === before.text
    const fits = sameUnit || (users.size <= k && !users.has(row.user))
    if (cell !== undefined && fits && !(shared && row.time !== before.time)) cell.push(row)
    else cells.push([row])
  })
  return cells
}

function readCellsPlainly(rows: readonly Departure[], { k, random }: { k: number; random: RandomSource }): number[] {
  const named = rows.map(() => -1)
  for (const own of byCategory(rows)) {
    const shared = own.every(({ time }, i) => i === 0 || time >= own[i - 1].time)
    const cells = cutCells(own, { k, shared })
    const members = cells.map((cell) => [...new Set(cell.map(({ user }) => user))])
    const streak = (user: number, c: number): number =>
      c >= 0 && members[c].includes(user) ? 1 + streak(user, c - 1) : 0
    cells.forEach((cell, c) => {
      const ranked = members[c].toSorted((a, b) => streak(b, c) - streak(a, c))
      for (const shown of members[c]) {
        const unit = cell.filter(({ user }) => user === shown)
        const oldest = Math.min(...unit.map(({ time }) => time))
        const closings = cells.map((_, i) =>
          Math.max(...cells.slice(0, i + 1).flatMap((rows) => rows.map((r) => r.time))),
        )
        const waited = closings.slice(0, c).filter((closing) => closing > oldest).length
        const others = ranked.filter((user) => user !== shown)
        const fitting = others.filter((user) => {
          if (shared) return true
          if (waited === 0) return c === 0 || !members[c - 1].includes(user)
          return members.slice(c - waited, c).every((cell) => cell.includes(user))
        })
        const candidates = fitting.length > 0 ? fitting : others
        const choice = candidates.length === 0 ? -1 : candidates[random.below(candidates.length)]
        for (const { at } of unit) named[at] = choice
      }
    })
  }
  return named
}

function readOrderPlainly(rows: readonly Departure[], { k }: { k: number }): number[] {
  const named = rows.map(() => -1)
  for (const own of byCategory(rows)) {
    for (const { at, time, user: shown } of own) {
      const start = own.findIndex((row) => row.time >= time)
      const weight = new Map<number, number>()
      let chance = 1
      for (const { user } of own.slice(start)) {
        weight.set(user, (weight.get(user) ?? 0) + chance)
        chance *= 1 - 1 / k
      }
      weight.delete(shown)
      named[at] = [...weight].sort(([, a], [, b]) => b - a)[0]?.[0] ?? -1
    }
  }
  return named
}

const anyK = fc.integer({ min: 1, max: 4 })

describe("times and order of records that leave in cells", () => {
  test("name the same users as plain sets of users, draw by draw", () => {
    fc.assert(
      fc.property(anyRows, anyK, fc.nat(), fc.boolean(), (rows, k, seed, sorted) => {
        const ordered = sorted ? rows.toSorted((a, b) => a.time - b.time) : rows
        const expected = readCellsPlainly(ordered, { k, random: seededRandom(seed) })
        expect([...linkByCells(streamOf(ordered), { k, random: seededRandom(seed) })]).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test("reveal who waited: a user who alone was in both cells is always named", () => {
    // User 0 issues at 0 and 1, user 1 at 2, user 2 at 3: the first cell closes. User 0's second query waits for users
    // 3 and 4.
    const row = (user: number, truth: number, time: number) => ({ user, truth, time, text: time, category: 0 })
    const rows = [row(1, 0, 0), row(0, 2, 3), row(2, 1, 2), row(0, 4, 6), row(4, 3, 5), row(3, 0, 1)]
    for (let seed = 0; seed < 20; seed++) {
      const named = linkByCells(streamOf(rows), { k: 2, random: seededRandom(seed) })
      expect(named[5]).toBe(0)
      // The others came after the closing: from a new user other than the one shown.
      expect(named[4]).toBe(3)
    }
  })

  const k = 10
  const heavy = (): Arrival[] => {
    const random = seededRandom(31)
    return Array.from({ length: 20_000 }, (_, time) => ({
      user: random.below(100) < 15 ? 0 : 1 + random.below(400),
      text: time,
      category: time % 2,
      time,
    }))
  }
  const score = (time: "closing" | "own") => {
    const random = seededRandom(32)
    const stream = streamOf(swapInCells(heavy(), { k, random, time }))
    return scoreLinkage(linkByCells(stream, { k, random }), stream)
  }

  // Names are drawn independently, each right with probability 1/k. Beyond six standard deviations with probability
  // 2e-9.
  const bound = (records: number) => 6 * Math.sqrt((1 / k) * (1 - 1 / k) * (1 / records))

  test("link 1/k if a cell has one time, however much one user issues", () => {
    const { share, named, records } = score("closing")
    expect(named).toBe(records)
    expect(Math.abs(share - 1 / k)).toBeLessThan(bound(records))
  })

  test("link far more if records keep their own times", () => {
    const { share, records } = score("own")
    expect(share - 1 / k).toBeGreaterThan(bound(records))
    expect(share).toBeGreaterThan(0.18)
  })

  test("name one user for the repeats that travel as a unit", () => {
    const row = (user: number, text: number) => ({ user, text, truth: -1, time: 5, category: 0 })
    const rows = [row(1, 7), row(1, 7), row(1, 7), row(2, 8), row(0, 9), row(0, 9)]
    for (let seed = 0; seed < 20; seed++) {
      const [a, b, c, , d, e] = linkByCells(streamOf(rows), { k: 2, random: seededRandom(seed) })
      expect([b, c, e]).toEqual([a, a, d])
    }
  })
})

describe("times and order of records that leave one by one", () => {
  test("name the same users as a plain look ahead", () => {
    fc.assert(
      fc.property(anyRows, anyK, (rows, k) => {
        expect([...linkByOrder(streamOf(rows), { k })]).toEqual(readOrderPlainly(rows, { k }))
      }),
      { numRuns: 300 },
    )
  })

  const k = 20
  /** Each user issues this many records in a row, and none later. */
  const score = (repeats: number, hide: boolean) => {
    const arrivals = Array.from(
      { length: 10_000 },
      (_, time): Arrival => ({ user: Math.floor(time / repeats), text: time, category: 0, time }),
    )
    const rows = swapOneByOne(arrivals, { k, random: seededRandom(42) })
    const stream = streamOf(hide ? rows.map((row) => ({ ...row, time: 0 })) : rows)
    return scoreLinkage(linkByOrder(stream, { k }), stream)
  }

  test("link more than 1/k if users issue several records in a row", () => {
    expect(score(3, false).interval[0]).toBeGreaterThan(1 / k)
  })

  test("stay near 1/k where each user issues one", () => {
    const { share } = score(1, false)
    expect(share).toBeGreaterThan(0.5 / k)
    expect(share).toBeLessThan(1.3 / k)
  })

  test("link nothing if times reveal nothing", () => {
    expect(score(3, true).share).toBeLessThan(0.1 / k)
  })
})
