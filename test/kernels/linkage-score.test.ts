import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkToLargestShare } from "#dist/kernels/linkage/largest-share.js"
import { scoreCategories, scoreLinkage, worstCategory } from "#dist/kernels/linkage/score-linkage.js"
import { seededRandom } from "#dist/kernels/random.js"
import { anyRows, byCategory } from "../support/linkage-rows.ts"
import { type Arrival, streamOf, swapInCells, swapOneByOne } from "../support/swapped-streams.ts"

const row = (category: number, truth: number) => ({ user: 9, text: 0, category, time: 0, truth })

describe("a linkage", () => {
  const stream = streamOf([row(0, 1), row(0, 2), row(0, 3), row(1, 4), row(1, 5), row(2, 6), row(2, -1)])
  const named = Int32Array.of(1, 2, 4, 4, -1, 6, 3)

  test("is scored by the records linked to the user who issued them, without unknown issuers", () => {
    expect(scoreLinkage(named, stream)).toEqual({
      records: 6,
      named: 5,
      right: 4,
      share: 4 / 6,
      interval: [expect.closeTo(0.3, 2), expect.closeTo(0.903, 3)],
      shareOfNamed: 4 / 5,
    })
  })

  test("has its worst category among those with enough records for which somebody was named", () => {
    expect(worstCategory(named, stream, { least: 3 })).toMatchObject({ category: 0, named: 3, right: 2, share: 2 / 3 })
    expect(worstCategory(named, stream, { least: 1 })).toMatchObject({ category: 1, named: 1, right: 1, share: 1 })
    expect(worstCategory(named, stream, { least: 4 })).toBeUndefined()
    expect(scoreCategories(named, stream).map(({ category }) => category)).toEqual([0, 1, 2])
  })

  test("of no records has no score", () => {
    const nothing = scoreLinkage(new Int32Array(0), streamOf([]))
    expect(nothing).toEqual({ records: 0, named: 0, right: 0, share: 0, interval: [0, 1], shareOfNamed: 0 })
  })
})

describe("the largest share", () => {
  test("is that of the user shown most often so far, other than the one shown", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const expected = rows.map(() => -1)
        for (const own of byCategory(rows)) {
          own.forEach(({ user, at }, i) => {
            // By count. Ties: the user who reached it first.
            const tally = new Map<number, { count: number; since: number }>()
            own.slice(0, i).forEach(({ user: shown }, since) => {
              tally.set(shown, { count: (tally.get(shown)?.count ?? 0) + 1, since })
            })
            tally.delete(user)
            const [best] = [...tally].sort(([, a], [, b]) => b.count - a.count || a.since - b.since)
            expected[at] = best?.[0] ?? -1
          })
        }
        expect([...linkToLargestShare(streamOf(rows))]).toEqual(expected)
      }),
    )
  })

  const k = 50
  const arrivals = (percent: number): Arrival[] => {
    const random = seededRandom(11)
    return Array.from({ length: 15_000 }, (_, time) => ({
      user: random.below(100) < percent ? 0 : 1 + random.below(1000),
      text: time,
      category: 0,
      time,
    }))
  }
  const scored = (percent: number, cells: boolean) => {
    const random = seededRandom(12)
    const rows = cells
      ? swapInCells(arrivals(percent), { k, random, time: "closing" })
      : swapOneByOne(arrivals(percent), { k, random })
    const stream = streamOf(rows)
    return scoreLinkage(linkToLargestShare(stream), stream)
  }

  test("links 30 % of the records if one user issues 30 %, not 1/k", () => {
    const { share } = scored(30, false)
    expect(share).toBeGreaterThan(0.28)
    expect(share).toBeLessThan(0.32)
  })

  // For k records of a cell, one of its k + 1 users is named, and this is right for one: exactly 1/(k + 1) of the
  // cell's records.
  test("links 1/(k + 1) if records leave in cells, however much one user issues", () => {
    const { right, records } = scored(30, true)
    expect(right / records).toBeLessThan(1 / k)
    expect(right / records).toBeGreaterThan(0.9 / (k + 1))
  })

  test("links next to nothing if all users are alike", () => {
    expect(scored(0, false).share).toBeLessThan(0.005)
  })
})
