import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkByComparison } from "#dist/kernels/linkage/compare-cells.js"
import { scoreLinkage } from "#dist/kernels/linkage/score-linkage.js"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { anyRows, byCategory } from "../support/linkage-rows.ts"
import { type Arrival, type Departure, streamOf, swapInCells } from "../support/swapped-streams.ts"

type Row = Departure & { at: number }
type Unit = Row[]

/** The cells of each category, in units. */
function cellsOf(rows: readonly Departure[]): Unit[][][] {
  return byCategory(rows).map((own) => {
    const cells: Unit[][] = []
    own.forEach((row, i) => {
      const before = own[i - 1]
      if (before?.time !== row.time) cells.push([])
      const cell = cells.at(-1) ?? []
      if (cell.length > 0 && before.user === row.user && before.text === row.text) cell.at(-1)?.push(row)
      else cell.push([row])
    })
    return cells
  })
}

interface Pair {
  cell: number
  unit: Unit
  text: number
  place: number
  user: number
  weight: number
  column: number
  row: number
  said: number
}

/** The same messages on a list of pairs, with each sum over the pairs concerned. */
function comparePlainly(rows: readonly Departure[], k: number): number[] {
  const named = rows.map(() => -1)
  const atLeast = (value: number) => Math.max(1e-6, value)
  for (const cells of cellsOf(rows)) {
    const fitting = cells.filter((cell) => cell.length > 1 && cell.length <= 4 * (k + 1))
    const leftWith = (text: number) => fitting.filter((cell) => cell.some(([row]) => row.text === text)).length
    const compared = fitting.filter((cell) => cell.some(([row]) => leftWith(row.text) > 1))
    const pairs = compared.flatMap((cell, number) =>
      cell.flatMap((unit) =>
        cell.flatMap(([{ user }], place): Pair[] =>
          user === unit[0].user
            ? []
            : [{ cell: number, unit, text: unit[0].text, place, user, weight: 1, column: 1, row: 1, said: 1 }],
        ),
      ),
    )
    const sumOf = (some: readonly Pair[], value: (pair: Pair) => number) => some.reduce((sum, p) => sum + value(p), 0)
    const others = (pair: Pair, isAlike: (other: Pair) => boolean) => pairs.filter((p) => p !== pair && isAlike(p))
    const inColumn = new Map(pairs.map((p) => [p, others(p, (o) => o.cell === p.cell && o.place === p.place)]))
    const inRow = new Map(pairs.map((p) => [p, others(p, (o) => o.unit === p.unit)]))
    const inGroup = new Map(pairs.map((p) => [p, others(p, (o) => o.user === p.user && o.text === p.text)]))
    const isGrouped = (p: Pair) => inGroup.get(p)?.some(({ cell }) => cell !== p.cell) === true
    if (!pairs.some(isGrouped)) continue
    const match = () => {
      for (const p of pairs) p.row = 1
      for (const _sweep of [1, 2]) {
        for (const p of pairs) p.column = 1 / atLeast(sumOf(inColumn.get(p) ?? [], (o) => o.weight * o.row))
        for (const p of pairs) p.said = 1 / atLeast(sumOf(inRow.get(p) ?? [], (o) => o.weight * o.column))
        for (const p of pairs) p.row = p.said
      }
      for (const p of pairs) p.said = Math.min(1e6, atLeast(p.column * p.row))
    }
    for (let round = 0; round < 8; round++) {
      match()
      for (const p of pairs.filter(isGrouped))
        p.weight = Math.sqrt(p.weight / (1 + sumOf(inGroup.get(p) ?? [], (o) => o.said)))
    }
    match()
    for (const unit of compared.flat()) {
      const best = likeliestUser(
        pairs.filter((p) => p.unit === unit),
        k,
      )
      if (best >= 0) for (const { at } of unit) named[at] = best
    }
  }
  return named
}

/** The user with the largest chance among the pairs of a unit; -1 if nobody is far enough above 1 in k. */
function likeliestUser(own: readonly Pair[], k: number): number {
  const chance = (p: Pair) => (p.weight * p.said) / (1 + p.weight * p.said)
  const byUser = new Map<number, number>()
  for (const p of own) byUser.set(p.user, (byUser.get(p.user) ?? 0) + chance(p))
  let best = { user: -1, chance: 0 }
  for (const [user, its] of byUser) if (its > best.chance * (1 + 1e-9)) best = { user, chance: its }
  return best.chance >= (1.2 / k) * own.reduce((sum, p) => sum + chance(p), 0) ? best.user : -1
}

const shuffled = (count: number, random: RandomSource) => {
  const order = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const held = order[i]
    order[i] = order[j]
    order[j] = held
  }
  return order
}

/** All orders of 0 … n − 1 that leave nothing in its place. */
function derangements(n: number): number[][] {
  const extend = (so: number[]): number[][] =>
    so.length === n
      ? [so]
      : Array.from({ length: n }, (_, i) => i)
          .filter((i) => i !== so.length && !so.includes(i))
          .flatMap((i) => extend([...so, i]))
  return extend([])
}

/** A few cells of a few users and texts, in which nobody issues a text twice. */
function fewCells(random: RandomSource, { k, cells, users, texts }: Record<"k" | "cells" | "users" | "texts", number>) {
  const issued = new Set<string>()
  const rows: Departure[] = []
  const ways = derangements(k + 1)
  for (let time = 0; time < cells; time++) {
    const members = shuffled(users, random).slice(0, k + 1)
    const own = members.map((user) => shuffled(texts, random).find((text) => !issued.has(`${user} ${text}`)) ?? -1)
    for (const [i, user] of members.entries()) issued.add(`${user} ${own[i]}`)
    const dealt = ways[random.below(ways.length)]
    for (const i of shuffled(k + 1, random))
      rows.push({ truth: members[i], user: members[dealt[i]], text: own[i], category: 0, time })
  }
  return rows
}

/** By row and user: the probability that the user issued it, by trying all ways in which nobody issued a text twice. */
function enumerate(rows: readonly Departure[], k: number): Map<number, number>[] {
  const counts = rows.map(() => new Map<number, number>())
  const ways = derangements(k + 1)
  let total = 0
  const choose = (start: number, issued: ReadonlySet<string>, so: readonly number[]) => {
    if (start === rows.length) {
      total++
      for (const [row, user] of so.entries()) counts[row].set(user, (counts[row].get(user) ?? 0) + 1)
      return
    }
    const cell = rows.slice(start, start + k + 1)
    for (const way of ways) {
      const users = way.map((i) => cell[i].user)
      const keys = users.map((user, i) => `${user} ${cell[i].text}`)
      if (!keys.some((key) => issued.has(key))) choose(start + k + 1, new Set([...issued, ...keys]), [...so, ...users])
    }
  }
  choose(0, new Set(), [])
  return counts.map((own) => new Map([...own].map(([user, count]) => [user, count / total])))
}

describe("comparing cells", () => {
  test("names the same users as the same messages on plain lists", () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 6 }), (rows, k, coarse) => {
        const sorted = rows
          .map((row) => ({ ...row, time: Math.floor(row.time / coarse) }))
          .sort((a, b) => a.time - b.time)
        const named = linkByComparison(streamOf(sorted), { k, random: seededRandom(1) })
        expect([...named]).toEqual(comparePlainly(sorted, k))
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    { k: 2, cells: 7, users: 6, texts: 6 },
    { k: 3, cells: 4, users: 7, texts: 6 },
  ])("comes near the optimum of trying all assignments: %j", (shape) => {
    const random = seededRandom(31)
    let [named, reached, best] = [0, 0, 0]
    for (let run = 0; run < 60; run++) {
      const rows = fewCells(random, shape)
      const chances = enumerate(rows, shape.k)
      linkByComparison(streamOf(rows), { k: shape.k, random }).forEach((user, at) => {
        if (user < 0) return
        named++
        reached += chances[at].get(user) ?? 0
        best += Math.max(...chances[at].values())
      })
    }
    expect(named).toBeGreaterThan(100)
    expect(reached / best).toBeGreaterThan(0.95)
    expect(reached / named).toBeGreaterThan(1.2 / shape.k)
  })

  /** Users who issue each of this many texts once, in random order. */
  const fewTexts = ({ users, texts }: { users: number; texts: number }): Arrival[] => {
    const random = seededRandom(41)
    return shuffled(users * texts, random).map((i, time) => ({
      user: i % users,
      text: Math.floor(i / users),
      category: 0,
      time,
    }))
  }
  const scored = (rows: readonly Departure[], options: { k: number; most?: number }) => {
    const stream = streamOf(rows)
    return scoreLinkage(linkByComparison(stream, { ...options, random: seededRandom(43) }), stream)
  }

  test("links a topic of few texts to its users if k is small", () => {
    const cells = (k: number) =>
      swapInCells(fewTexts({ users: 300, texts: 20 }), { k, random: seededRandom(42), time: "closing" })
    expect(scored(cells(3), { k: 3 }).share).toBeGreaterThan(0.8)
    expect(scored(cells(10), { k: 10 }).share).toBeGreaterThan(0.12)
  })

  test("names nobody where no user meets a text twice", () => {
    const arrivals = Array.from({ length: 5000 }, (_, time) => ({ user: time % 400, text: time, category: 0, time }))
    expect(scored(swapInCells(arrivals, { k: 3, random: seededRandom(42), time: "closing" }), { k: 3 }).named).toBe(0)
  })

  test("looks at a part if the whole would take too long, and finds the same there", () => {
    const rows = [0, 1, 2, 3].flatMap((category) =>
      swapInCells(fewTexts({ users: 300, texts: 20 }), { k: 3, random: seededRandom(42), time: "closing" }).map(
        (row) => ({ ...row, category }),
      ),
    )
    const whole = scored(rows, { k: 3 })
    const part = scored(rows, { k: 3, most: 8000 })
    // A cell of four has 16 pairs and as many records as users. A quarter of the pairs is the number of records.
    expect(part.named).toBeGreaterThan(0)
    expect(part.named).toBeLessThanOrEqual(2 * 2000)
    expect(part.shareOfNamed).toBeGreaterThan(0.4)
    expect(whole.named).toBeGreaterThan(4 * part.named)
  })
})
