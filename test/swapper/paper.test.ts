import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { chiSquareTail } from "#dist/kernels/statistics/chi-square.js"
import { createSwapper } from "#dist/swapper/create-swapper.js"
import { type Arrival, columnsOf, swapAll } from "../stream/collect.ts"

const [alice, bob, charlie] = [0, 1, 2]
const [arts, computers] = [0, 1]
const texts = ["piano", "myspace", "guitar", "violin", "flute", "google", "aol", "drums"]

/** R of Fig. 1. */
const stream: Arrival[] = [
  [alice, 0, arts],
  [bob, 1, computers],
  [alice, 2, arts],
  [charlie, 3, arts],
  [bob, 4, arts],
  [charlie, 5, computers],
  [alice, 6, computers],
  [charlie, 7, arts],
]

const outOfChoices = new Error("out of choices")

/** What leaves with these random choices. `next` is the number of options of the next choice, if there is one. */
function swapWith(choices: readonly number[]) {
  const outputs: unknown[][] = []
  let made = 0
  let next: number | undefined
  const random = {
    seeded: true,
    uint32: () => 0,
    fill: () => {},
    below: (n: number) => {
      const choice = choices[made++]
      if (choice !== undefined) return choice
      next = n
      throw outOfChoices
    },
  }
  let step = 0
  const release = (record: number, as: number, _cell: number, users: number) =>
    outputs.push([step, stream[as]?.[0], texts[record], users])
  const sink = { release, withhold: () => {} }
  const swapper = createSwapper(columnsOf(stream), { mode: "paper", k: 2, backlog: 1, random, sink })
  try {
    for (step = 1; step <= stream.length; step++) swapper.offer(step - 1)
  } catch (error) {
    if (error !== outOfChoices) throw error
  }
  return { outputs, next, waiting: swapper.waiting }
}

/**
 * Random choices that lead to these outputs, by trying all (at most ten: two draws may be of the owner); undefined if
 * none do.
 */
function findChoices(wanted: readonly unknown[][], choices: number[] = []): number[] | undefined {
  const { outputs, next } = swapWith(choices)
  const agree = isDeepStrictEqual(outputs, wanted.slice(0, outputs.length))
  if (!agree || choices.length > 10) return undefined
  if (next === undefined) return outputs.length === wanted.length ? choices : undefined
  for (let choice = 0; choice < next; choice++) {
    const found = findChoices(wanted, [...choices, choice])
    if (found !== undefined) return found
  }
  return undefined
}

describe("Algorithm 1", () => {
  const table2 = [
    [5, charlie, "piano", 3],
    [7, bob, "google", 3],
    [8, alice, "drums", 3],
    [8, bob, "guitar", 3],
  ]

  test("gives the outputs of the eight steps of Table 2, with its random choices", () => {
    const choices = findChoices(table2)
    expect(choices).toBeDefined()
    expect(swapWith(choices ?? []).waiting).toBe(4) // violin and flute, myspace and aol
  })

  test("cannot give a query back to its own user, whatever the random choices", () => {
    expect(findChoices([[5, alice, "piano", 3], ...table2.slice(1)])).toBeUndefined()
  })

  test("releases while more than k users wait: each record once, each user once per record, none to its own", () => {
    const arrivals = fc.array(
      fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 99 }), fc.nat({ max: 1 })).map((arrival): Arrival => arrival),
      { maxLength: 150 },
    )
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 5 }), (given, k) => {
        const { released, waiting } = swapAll(given, { mode: "paper", k })
        expect(new Set(released.map(({ record }) => record)).size).toBe(released.length)
        expect(new Set(released.map(({ as }) => as)).size).toBe(released.length)
        expect(waiting).toBe(given.length - released.length)
        for (const { record, as, users } of released) {
          expect(given[as]?.[0]).not.toBe(given[record]?.[0])
          expect(given[as]?.[2]).toBe(given[record]?.[2])
          expect(users).toBeGreaterThan(k)
        }
        for (const category of [0, 1]) {
          const gone = new Set(released.map(({ as }) => as))
          const left = given.flatMap(([user, , of], i) => (of === category && !gone.has(i) ? [user] : []))
          expect(new Set(left).size).toBeLessThanOrEqual(k)
        }
      }),
      { numRuns: 300 },
    )
  })

  test("draws the user from the multiset, also where one fills nearly all of it (false alarm 1 in 10⁶)", () => {
    // 60 records of user 0 and one each of users 1 and 2. User 3 comes: one query leaves, with a user who is not its
    // own.
    const heavy: Arrival[] = [
      ...Array.from({ length: 60 }, (_, i): Arrival => [0, i, 0]),
      [1, 60, 0],
      [2, 61, 0],
      [3, 62, 0],
    ]
    const counts = new Map<string, number>()
    const rounds = 8_000
    for (let seed = 0; seed < rounds; seed++) {
      const [first] = swapAll(heavy, { mode: "paper", k: 3, seed }).released
      const key = `${Math.max(59, first?.record ?? 0)} ${heavy[first?.as ?? 0]?.[0]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const outcomes = [0, 1, 2, 3].flatMap((owner) =>
      [0, 1, 2, 3].filter((shown) => shown !== owner).map((shown) => ({ owner, shown })),
    )
    const statistics = outcomes.map(({ owner, shown }) => {
      const ofQuery = (owner === 0 ? 60 : 1) / 63
      const ofUser = (shown === 0 ? 60 : 1) / (owner === 0 ? 3 : 62)
      const expected = rounds * ofQuery * ofUser
      return ((counts.get(`${59 + owner} ${shown}`) ?? 0) - expected) ** 2 / expected
    })
    expect(outcomes.length).toBe(12)
    expect(
      chiSquareTail(
        statistics.reduce((sum, one) => sum + one, 0),
        11,
      ),
    ).toBeGreaterThan(1e-6)
  })
})
