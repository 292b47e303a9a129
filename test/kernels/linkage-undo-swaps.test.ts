import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { LinkageOptions } from "#dist/kernels/linkage/released-stream.js"
import { scoreLinkage } from "#dist/kernels/linkage/score-linkage.js"
import { linkAtRandom, linkByHistory, linkToMostFrequent } from "#dist/kernels/linkage/undo-swaps.js"
import { RandomPool } from "#dist/kernels/linkage/user-pools.js"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { anyRows, byCategory } from "../support/linkage-rows.ts"
import { type Arrival, type Departure, streamOf, swapOneByOne } from "../support/swapped-streams.ts"

interface PlainPool {
  distinct(): number
  add(user: number): void
  take(shown: number): number
}

/** Algorithm 2 with arrays. */
function undoPlainly(rows: readonly Departure[], { k, random }: LinkageOptions, makePool: () => PlainPool): number[] {
  const named = rows.map(() => -1)
  for (const own of byCategory(rows)) {
    const pool = makePool()
    const waiting: (typeof own)[number][] = []
    for (const row of own) {
      pool.add(row.user)
      waiting.push(row)
      while (pool.distinct() > k) {
        const at = random.below(waiting.length)
        const row = waiting[at]
        waiting[at] = waiting[waiting.length - 1]
        waiting.pop()
        named[row.at] = pool.take(row.user)
      }
    }
  }
  return named
}

/** Every appearance written out, in the order of the users' slots. */
function plainRandomPool(random: RandomSource): PlainPool {
  const slots: number[][] = []
  const free: number[] = []
  const slotOf = (user: number) => slots.findIndex((users) => users[0] === user)
  return {
    distinct: () => slots.filter((users) => users.length > 0).length,
    add: (user) => {
      const slot = slotOf(user) >= 0 ? slotOf(user) : (free.pop() ?? slots.length)
      slots[slot] = [...(slots[slot] ?? []), user]
    },
    take: (shown) => {
      const others = slots.flat().filter((user) => user !== shown)
      const user = others[random.below(others.length)]
      const slot = slotOf(user)
      slots[slot].pop()
      if (slots[slot].length === 0) free.push(slot)
      return user
    },
  }
}

/** The largest of (appearances × history) + a fraction that is drawn whenever one of the two changes. */
function plainHeaviestPool(random: RandomSource, options: { profile: boolean }): PlainPool {
  const waiting = new Map<number, { arity: number; fraction: number }>()
  const history = new Map<number, number>()
  const draw = () => random.uint32() / 2 ** 32
  const weight = (user: number) => {
    const { arity = 0, fraction = 0 } = waiting.get(user) ?? {}
    return arity * (options.profile ? (history.get(user) ?? 0) : 1) + fraction
  }
  return {
    distinct: () => waiting.size,
    add: (user) => {
      history.set(user, (history.get(user) ?? 0) + 1)
      waiting.set(user, { arity: (waiting.get(user)?.arity ?? 0) + 1, fraction: draw() })
    },
    take: (shown) => {
      const [best] = [...waiting.keys()].filter((user) => user !== shown).sort((a, b) => weight(b) - weight(a))
      const arity = (waiting.get(best)?.arity ?? 0) - 1
      if (arity > 0) waiting.set(best, { arity, fraction: draw() })
      else waiting.delete(best)
      return best
    },
  }
}

const linkages = [
  { name: "record linkage 1", link: linkAtRandom, pool: plainRandomPool },
  {
    name: "record linkage 2",
    link: linkToMostFrequent,
    pool: (random: RandomSource) => plainHeaviestPool(random, { profile: false }),
  },
  {
    name: "record linkage 3",
    link: linkByHistory,
    pool: (random: RandomSource) => plainHeaviestPool(random, { profile: true }),
  },
]

describe.each(linkages)("$name", ({ link, pool }) => {
  test("names the same users as Algorithm 2 with arrays, draw by draw", () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 6 }), fc.nat(), (rows, k, seed) => {
        const random = seededRandom(seed)
        const expected = undoPlainly(rows, { k, random }, () => pool(random))
        expect([...link(streamOf(rows), { k, random: seededRandom(seed) })]).toEqual(expected)
      }),
    )
  })

  test("never names the user shown, and nobody for what still waits at the end", () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 6 }), fc.nat(), (rows, k, seed) => {
        const named = link(streamOf(rows), { k, random: seededRandom(seed) })
        expect(rows.filter(({ user }, i) => named[i] === user)).toEqual([])
        for (const own of byCategory(rows)) {
          const waiting = own.filter(({ at }) => named[at] < 0)
          const given = own.map(({ at }) => named[at]).filter((user) => user >= 0)
          // The users given back and those still waiting are together the users shown.
          const left = own.map(({ user }) => user)
          for (const user of given) left.splice(left.indexOf(user), 1)
          expect(left.length).toBe(waiting.length)
          expect(new Set(left).size).toBeLessThanOrEqual(k)
        }
      }),
    )
  })
})

test.each(linkages)("$name refuses a k below 1 instead of looking for another user in a pool of one", ({ link }) => {
  expect(() => link(streamOf([]), { k: 0, random: seededRandom(1) })).toThrow(RangeError)
})

/**
 * How often, in this many draws, the pool names user 1, who is in it three times, rather than user 2, who is in it
 * once.
 */
function countThrice(draws: number, take: (random: RandomSource) => number): number {
  const random = seededRandom(7)
  return Array.from({ length: draws }, () => take(random)).filter((user) => user === 1).length
}

describe("record linkage 1 in a pool that is nearly all of one user", () => {
  const draws = 20_000
  // Binomial with probability 3/4. Beyond six standard deviations with probability 2e-9.
  const bound = 6 * Math.sqrt(draws * (3 / 4) * (1 / 4))

  test("names each appearance of the others equally often", () => {
    const count = countThrice(draws, (random) => {
      const pool = new RandomPool({ users: 3, slots: 3, random })
      for (let i = 0; i < 1000; i++) pool.add(0)
      for (const user of [1, 2, 1, 1]) pool.add(user)
      return pool.take(0)
    })
    expect(Math.abs(count - draws * (3 / 4))).toBeLessThan(bound)
  })

  test("and naming each user equally often would be caught", () => {
    const count = countThrice(draws, (random) => 1 + random.below(2))
    expect(Math.abs(count - draws * (3 / 4))).toBeGreaterThan(bound)
  })
})

/** Arrivals in one category. User 0 issues this percentage; all other users are alike. */
function arrive(options: { records: number; users: number; percent: number; seed: number }): Arrival[] {
  const random = seededRandom(options.seed)
  return Array.from({ length: options.records }, (_, time) => ({
    user: random.below(100) < options.percent ? 0 : 1 + random.below(options.users),
    text: time,
    category: 0,
    time,
  }))
}

describe("on what Algorithm 1 released", () => {
  const k = 10
  const score = (percent: number, link: (typeof linkages)[number]["link"], guess = k) => {
    const random = seededRandom(5)
    const rows = swapOneByOne(arrive({ records: 20_000, users: 500, percent, seed: 3 }), { k, random })
    const stream = streamOf(rows)
    return scoreLinkage(link(stream, { k: guess, random }), stream)
  }

  // The share is near 0.03. Over 20,000 records its standard deviation is 0.0012, so both bounds are more than ten of
  // them away.
  test.each(linkages)("$name stays below 1/k where all users are alike", ({ link }) => {
    const { share, named, records } = score(0, link)
    expect(named).toBeGreaterThan(records - 100)
    expect(share).toBeGreaterThan(0.015)
    expect(share).toBeLessThan(1 / k)
  })

  test.each(linkages)("$name is over 1/k where one user issues 30 %", ({ link }) => {
    expect(score(30, link).interval[0]).toBeGreaterThan(1 / k)
  })

  test.each(linkages)("$name runs with a wrong k, without a gain", ({ link }) => {
    const right = score(0, link)
    const wrong = score(0, link, 10 * k)
    expect(wrong.named).toBeGreaterThan(right.records - 1000)
    expect(wrong.share).toBeLessThan(right.share)
  })
})
