import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkByIntersection } from "#dist/kernels/linkage/intersect-users.js"
import { scoreLinkage } from "#dist/kernels/linkage/score-linkage.js"
import { seededRandom } from "#dist/kernels/random.js"
import { anyRows, byCategory } from "../support/linkage-rows.ts"
import { type Arrival, type Departure, streamOf, swapInCells, swapOneByOne } from "../support/swapped-streams.ts"

type Row = Departure & { at: number }

/**
 * The rows around a row in its category: its run of equal times if that has more than k, otherwise k on either side.
 */
function lookAround(own: readonly Row[], i: number, { k, reach }: { k: number; reach: number }) {
  let first = i
  let last = i
  while (first > 0 && own[first - 1].time === own[i].time) first--
  while (last < own.length - 1 && own[last + 1].time === own[i].time) last++
  const isCell = last - first + 1 > k
  if (!isCell) return { from: Math.max(0, i - k), to: Math.min(own.length, i + k + 1), isCell }
  return { from: Math.max(first, i - reach), to: Math.min(last, i + reach) + 1, isCell }
}

function intersectPlainly(
  rows: readonly Departure[],
  options: { k: number; reach: number; groupOf: (text: number) => number },
): number[] {
  const named = rows.map(() => -1)
  const { groupOf } = options
  for (const group of new Set(rows.map(({ text }) => groupOf(text)))) {
    const surroundings: { category: number; isCell: boolean; length: number; users: Set<number>; members: Row[] }[] = []
    for (const own of byCategory(rows)) {
      let end = 0
      own.forEach((row, i) => {
        if (groupOf(row.text) !== group) return
        if (i < end) {
          surroundings.at(-1)?.members.push(row)
          return
        }
        const { from, to, isCell } = lookAround(own, i, options)
        const around = own.slice(Math.max(from, end), to)
        const users = new Set(around.filter(({ text }) => groupOf(text) !== group).map(({ user }) => user))
        surroundings.push({ category: row.category, isCell, length: around.length, users, members: [row] })
        end = to
      })
    }
    if (surroundings.length < 2) continue
    const surprise = (user: number) => {
      let expected = 0
      for (const own of byCategory(rows)) {
        const here = surroundings.filter(({ category }) => category === own[0].category)
        if (!here.some(({ users }) => users.has(user))) continue
        const share = Math.fround(own.filter((row) => row.user === user).length / own.length)
        const length = here.reduce((sum, around) => sum + around.length, 0) / here.length
        expected += here.length * (1 - Math.exp(-share * length))
      }
      const hits = surroundings.filter(({ users }) => users.has(user)).length
      const deviance = hits * Math.log(hits / expected) - (hits - expected)
      return { hits, surprise: hits < expected ? -deviance : deviance }
    }
    const metTwice = new Set<number>()
    const met = new Set<number>()
    for (const { users } of surroundings) for (const user of users) (met.has(user) ? metTwice : met).add(user)
    for (const { isCell, users, members } of surroundings) {
      const candidates = isCell ? users : metTwice
      for (const { at, user: shown } of members) {
        const [best] = [...candidates]
          .map((user) => ({ user, ...surprise(user) }))
          .filter(({ user, hits }) => user !== shown && hits > 1)
          .sort((a, b) => b.surprise - a.surprise)
        named[at] = best?.user ?? -1
      }
    }
  }
  return named
}

describe("intersection", () => {
  test("names the same users as plain sets around equal and similar texts", () => {
    const options = fc.record({
      k: fc.integer({ min: 1, max: 4 }),
      reach: fc.integer({ min: 1, max: 9 }),
      textGroup: fc.array(fc.nat({ max: 3 }), { minLength: 6, maxLength: 6 }),
    })
    fc.assert(
      fc.property(anyRows, options, fc.integer({ min: 1, max: 13 }), (rows, { k, reach, textGroup }, coarse) => {
        const cut = rows.map((row) => ({ ...row, time: Math.floor(row.time / coarse) }))
        const stream = streamOf(cut)
        expect([...linkByIntersection(stream, { k, reach })]).toEqual(
          intersectPlainly(cut, { k, reach, groupOf: (text) => text }),
        )
        expect([...linkByIntersection(stream, { k, reach, textGroup: Int32Array.from(textGroup) })]).toEqual(
          intersectPlainly(cut, { k, reach, groupOf: (text) => textGroup[text] }),
        )
      }),
      { numRuns: 300 },
    )
  })

  const k = 10
  const users = 300
  const popular = users
  /**
   * Of each user's records, a tenth is a text of their own, a tenth a text that everybody issues, and the others are
   * new.
   */
  const arrivals = (): Arrival[] => {
    const random = seededRandom(21)
    return Array.from({ length: 20_000 }, (_, time) => {
      const user = random.below(users)
      const kind = random.below(10)
      return { user, text: kind === 0 ? user : kind === 1 ? popular : popular + 1 + time, category: 0, time }
    })
  }
  /** How the records with such a text are named. */
  const score = (
    rows: readonly Departure[],
    { keep, textGroup }: { keep: (text: number) => boolean; textGroup?: Int32Array },
  ) => {
    const stream = streamOf(rows)
    const named = linkByIntersection(stream, textGroup === undefined ? { k } : { k, textGroup })
    const kept = rows.flatMap((row, i) => (keep(row.text) ? [{ row, named: named[i] }] : []))
    return scoreLinkage(
      Int32Array.from(kept, (entry) => entry.named),
      streamOf(kept.map(({ row }) => row)),
    )
  }
  const cells = swapInCells(arrivals(), { k, random: seededRandom(22), time: "closing" })
  const oneByOne = swapOneByOne(arrivals(), { k, random: seededRandom(23) })
  const isOwn = (text: number) => text < popular

  test("links a unique text to the user who repeats it, from cells and from single records", () => {
    expect(score(cells, { keep: isOwn }).share).toBeGreaterThan(0.99)
    expect(score(oneByOne, { keep: isOwn }).share).toBeGreaterThan(0.75)
  })

  // The share is that of naming at random within the cell: about 2,000 records, six standard deviations (2e-9).
  test("is at chance for a text that everybody issues", () => {
    const { share, records } = score(cells, { keep: (text) => text === popular })
    expect(share).toBeLessThan(1 / k + 6 * Math.sqrt((1 / k) * (1 - 1 / k) * (1 / records)))
    expect(score(oneByOne, { keep: (text) => text === popular }).share).toBeLessThan(1 / k)
  })

  test("names nobody for a text that occurs once, unless it is similar to another", () => {
    const isNew = (text: number) => text > popular
    expect(score(cells, { keep: isNew }).named).toBe(0)
    // Every user's new texts are similar to each other, so they lead back to the user as if they were equal.
    const textGroup = new Int32Array(popular + 1 + 20_000)
    for (let text = 0; text <= popular; text++) textGroup[text] = text
    for (const { text, truth } of cells) if (isNew(text)) textGroup[text] = popular + 1 + truth
    expect(score(cells, { keep: isNew, textGroup }).share).toBeGreaterThan(0.99)
  })
})
