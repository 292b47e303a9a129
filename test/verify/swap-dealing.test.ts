import { beforeAll, describe, expect, test } from "vitest"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { chiSquareTail } from "#dist/kernels/statistics/chi-square.js"
import { cycleOdds, pairOdds } from "#dist/verify/derangement-odds.js"
import { verify } from "#dist/verify/registry.js"
import { checkDealing, dealingLevel } from "#dist/verify/swap-dealing.js"
import { draftOf } from "../support/drafts.ts"
import { groupBy } from "../support/group-by.ts"
import { failed, notPassed, swapLog, swappedReleases, type TrailedRow } from "./swapped-release.ts"

/** All derangements of 0 … n − 1. */
function derangements(n: number): number[][] {
  const grow = (head: number[]): number[][] => {
    if (head.length === n) return [head]
    const free = Array.from({ length: n }, (_, i) => i).filter((i) => i !== head.length && !head.includes(i))
    return free.flatMap((next) => grow([...head, next]))
  }
  return grow([])
}

const shareOf = (values: readonly number[], from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => values.filter((value) => value === from + i).length / values.length)

function cycleLength(dealt: readonly number[]): number {
  let length = 1
  for (let at = dealt[0]; at !== 0; at = dealt[at]) length++
  return length
}

describe("the chances of a uniform derangement", () => {
  test.each([3, 4, 5, 6, 7])("are those of all derangements of %i", (n) => {
    const all = derangements(n)
    const apart = all.map((dealt) => (dealt[1] - 1 - dealt[0] + 2 * n) % n)
    const close = (expected: readonly number[]) => expected.map((value) => expect.closeTo(value, 12))
    expect([...pairOdds(n)]).toEqual(close(shareOf(apart, 0, n - 2)))
    expect([...cycleOdds(n)]).toEqual(close(shareOf(all.map(cycleLength), 2, n)))
  })

  test("sum to one for every size", () => {
    for (const n of [3, 4, 11, 201, 5000]) {
      for (const odds of [pairOdds(n), cycleOdds(n)])
        expect(odds.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12)
    }
  })
})

/** A derangement of n, made in one of several ways. */
type Deal = (n: number, random: RandomSource) => number[]

const range = (n: number) => Array.from({ length: n }, (_, i) => i)

function shuffled(n: number, random: RandomSource): number[] {
  const order = range(n)
  for (let i = n - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

const uniform: Deal = (n, random) => {
  for (;;) {
    const dealt = shuffled(n, random)
    if (dealt.every((to, i) => to !== i)) return dealt
  }
}
const rotate = (n: number, by: number) => range(n).map((i) => (i + by) % n)
/** One ring of all, in random order: Sattolo's algorithm. */
const ring: Deal = (n, random) => {
  const order = shuffled(n, random)
  const dealt = range(n)
  for (const [i, one] of order.entries()) dealt[one] = order[(i + 1) % n]
  return dealt
}
const pairs: Deal = (n, random) => {
  const order = shuffled(n, random)
  const dealt = range(n)
  for (const [i, one] of order.entries()) dealt[one] = order[i ^ 1]
  return dealt
}
/** Only the user who came last gets the record that came first. */
const lastFirst: Deal = (n, random) => {
  for (;;) {
    const dealt = uniform(n, random)
    if (dealt[n - 1] === 0) return dealt
  }
}

const dealCells = (deal: Deal, { n, cells, seed = 1 }: { n: number; cells: number; seed?: number }) => {
  const random = seededRandom(seed)
  return checkDealing({ size: n, to: Int32Array.from(range(cells).flatMap(() => deal(n, random))) })
}

describe("the test of the dealing", () => {
  // Seeds are fixed. Otherwise one of these would raise a false alarm in 5,000 runs of this file.
  test("passes uniform derangements, two hundred times out of two hundred", () => {
    for (const [n, cells] of [
      [3, 100],
      [4, 300],
      [6, 200],
      [11, 1000],
      [51, 500],
    ]) {
      for (const seed of range(40))
        expect([n, seed, dealCells(uniform, { n, cells, seed }).state]).toEqual([n, seed, "passed"])
    }
  })

  test.each<[string, Deal, number[]]>([
    ["a rotation in order of arrival", (n) => rotate(n, 1), [3, 4, 11, 51]],
    ["a rotation against the order of arrival", (n) => rotate(n, n - 1), [3, 4, 11, 51]],
    ["a rotation by an offset drawn for each cell", (n, random) => rotate(n, 1 + random.below(n - 1)), [4, 11, 51]],
    ["one ring of all users", ring, [4, 11, 51]],
    ["users who change places in pairs", pairs, [4, 12, 52]],
    ["the one who came last treated otherwise", lastFirst, [4, 11]],
  ])("catches %s", (_name, deal, sizes) => {
    for (const n of sizes) {
      const few = dealCells(deal, { n, cells: 10 }).state
      expect([n, few, dealCells(deal, { n, cells: 400 }).state]).toEqual([n, "not checked", "failed"])
    }
  })

  test("never passes a rotation, however few cells there are", () => {
    for (const n of [3, 4, 11, 51]) {
      for (const cells of range(150))
        expect(dealCells((size) => rotate(size, 1), { n, cells }).state).not.toBe("passed")
      for (const cells of n === 3 ? [] : range(150))
        expect(dealCells((size, random) => rotate(size, 1 + random.below(size - 1)), { n, cells }).state).not.toBe(
          "passed",
        )
    }
  })

  test.each([
    [2, 32],
    [3, 63],
    [10, 37],
  ])("with k = %i needs %i cells", (k, least) => {
    const states = [least - 1, least].map((cells) => dealCells(uniform, { n: k + 1, cells }).state)
    expect(states).toEqual(["not checked", "passed"])
  })

  /**
   * P(X² ≥ x) exactly, for `bins` that each expect `each`: counts are Poisson given their sum, and X² = Σ o²/e − n.
   * `table[n][q]`: the probability that the bins so far hold n, with squares that sum to q.
   */
  function exactTail(bins: number, each: number, x: number): number {
    const total = bins * each
    const squares = Math.ceil(each * (x + total) - 1e-9) // those that reach x
    const chance = [Math.exp(-each)]
    while (chance.length <= total) chance.push((chance[chance.length - 1] * each) / chance.length)
    let table = new Float64Array((total + 1) * squares)
    table[0] = 1
    for (let bin = 0; bin < bins; bin++) {
      const next = new Float64Array(table.length)
      for (let n = 0; n <= total; n++) {
        for (let add = 0; n + add <= total && add * add < squares; add++) {
          const [from, to] = [n * squares, (n + add) * squares + add * add]
          for (let q = 0; q + add * add < squares; q++) next[to + q] += chance[add] * table[from + q]
        }
      }
      table = next
    }
    let below = 0
    let all = Math.exp(-total)
    for (let n = 1; n <= total; n++) all *= total / n
    for (let q = 0; q < squares; q++) below += table[total * squares + q]
    return 1 - below / all
  }

  test("raises false alarms less than once in a million, computed exactly for bins of ten", () => {
    for (const bins of [2, 3, 5, 8, 10, 12]) {
      let x = 0
      while (chiSquareTail(x, bins - 1) >= dealingLevel) x += 0.001
      const exact = exactTail(bins, 10, x)
      expect(4 * exact).toBeLessThan(1e-6)
      expect(exact).toBeLessThan(6 * dealingLevel)
    }
  })
})

describe("a release that was dealt anew, and its audit with it", () => {
  const { at, userOfLine, make, check, change, original } = swappedReleases(swapLog({ searches: 800, users: 40 }))

  beforeAll(async () => {
    await make(at("strict"))
  })

  /** Deals all cells again, with users in order of arrival. */
  function dealAnew(deal: Deal): string {
    const random = seededRandom(3)
    return change(at("strict"), ({ rows }) => {
      const nameOf = new Map(rows.map(({ userRow, cell, name }) => [`${cell} ${userOfLine(userRow)}`, name]))
      for (const [cell, members] of groupBy(rows, ({ cell }) => cell)) {
        const sorted = members.toSorted((a, b) => a.queryRow - b.queryRow) // lines are in order of time
        const units = [...groupBy(sorted, ({ queryRow }: TrailedRow) => userOfLine(queryRow))]
        const firsts = units.map(([, [first]]) => first.queryRow)
        const dealt = deal(units.length, random)
        for (const [i, [, records]] of units.entries()) {
          const userRow = firsts[dealt[i]]
          const name = nameOf.get(`${cell} ${userOfLine(userRow)}`) ?? ""
          for (const row of records) Object.assign(row, { userRow, name })
        }
      }
    })
  }

  test("by other uniform derangements, fails because they are not those of the key", async () => {
    expect(notPassed(await check(dealAnew(uniform))).map(([name]) => name)).toEqual(["dealing-key"])
  })

  test.each<[string, Deal]>([
    ["by a rotation in order of arrival", (n) => rotate(n, 1)],
    ["by a rotation with an offset drawn for each cell", (n, random) => rotate(n, 1 + random.below(n - 1))],
    ["in one ring", ring],
  ])("%s, fails for its dealing alone, by its shape and by the key", async (_name, deal) => {
    expect(failed(await check(dealAnew(deal)))).toEqual(["dealing", "dealing-key"])
  })

  test("verifies with WordNet's topics, also as a draft", async () => {
    const { subject, audit, context: run } = await draftOf(original, { method: "swap", k: 3 })
    const checks = await verify({ ...subject, audit }, run)
    expect(notPassed(checks).map(([name]) => name)).toEqual(["randomness"])
    expect(checks.find(({ name }) => name === "topics")).toMatchObject({ state: "passed" })
  })
})
