import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { linkByDate } from "#dist/kernels/linkage/date-texts.js"
import { scoreLinkage } from "#dist/kernels/linkage/score-linkage.js"
import { seededRandom } from "#dist/kernels/random.js"
import { byCategory } from "../support/linkage-rows.ts"
import { type Arrival, type Departure, streamOf, swapInCells } from "../support/swapped-streams.ts"

type Row = Departure & { at: number }

/** By row: the users who may be named, in any order. */
function datePlainly(rows: readonly Departure[]): Set<number>[] {
  const candidates = rows.map(() => new Set<number>())
  for (const own of byCategory(rows)) {
    const cells: Row[][] = []
    own.forEach((row, i) => {
      if (i > 0 && own[i - 1].time === row.time) cells.at(-1)?.push(row)
      else cells.push([row])
    })
    const goesOn = (cell: Row[], i: number) =>
      i > 0 && cell[i - 1].user === cell[i].user && cell[i - 1].text === cell[i].text
    const leftWith = (text: number) =>
      cells.flatMap((cell, number) => cell.flatMap((row, i) => (row.text === text && !goesOn(cell, i) ? [number] : [])))
    cells.forEach((cell, number) => {
      for (const { at, text, user: shown } of cell) {
        const left = leftWith(text)
        const [q1, q3] = [1, 3].map((quarters) => left[Math.floor(((left.length - 1) * quarters) / 4)])
        if (left.length < 5 || number <= q3 + 3 * Math.max(1, q3 - q1)) continue
        const since = cells.slice(q3, number + 1)
        for (const { user } of cell) {
          if (user !== shown && since.every((one) => one.some((row) => row.user === user))) candidates[at].add(user)
        }
      }
    })
  }
  return candidates
}

/** Each text has its time, except for a few records. */
const bursts = fc
  .array(fc.record({ user: fc.nat({ max: 3 }), category: fc.nat({ max: 1 }), kind: fc.nat({ max: 19 }) }), {
    minLength: 100,
    maxLength: 200,
  })
  .map((rows) =>
    rows.map(({ user, category, kind }, i): Departure => {
      const time = Math.floor(i / 20)
      return { user, category, time, text: kind === 0 ? 0 : Math.floor(time / 2), truth: 0 }
    }),
  )

describe("dating texts", () => {
  test("names one of the users who were in every cell since the text was current, and nobody else", () => {
    let named = 0
    fc.assert(
      fc.property(bursts, fc.nat(), (rows, seed) => {
        const choice = linkByDate(streamOf(rows), { random: seededRandom(seed) })
        datePlainly(rows).forEach((candidates, at) => {
          if (candidates.size === 0) expect(choice[at]).toBe(-1)
          else expect([...candidates]).toContain(choice[at])
          if (candidates.size > 0) named++
        })
      }),
      { numRuns: 200 },
    )
    expect(named).toBeGreaterThan(100)
  })

  const k = 10
  /**
   * Half of the records are one of the 40 news texts of their day; the others are new texts. One user issues a part of
   * all records.
   */
  const news = (heavy: number): Arrival[] => {
    const random = seededRandom(5)
    return Array.from({ length: 20_000 }, (_, time) => {
      const user = random.below(100) < heavy ? 0 : 1 + random.below(2000)
      const isNews = random.below(2) === 0
      return { user, text: isNews ? Math.floor(time / 1000) * 40 + random.below(40) : 800 + time, category: 0, time }
    })
  }
  const scored = (rows: readonly Departure[]) => {
    const stream = streamOf(rows)
    return scoreLinkage(linkByDate(stream, { random: seededRandom(7) }), stream)
  }

  test("finds users with a long list by texts that leave late", () => {
    const { named, shareOfNamed } = scored(swapInCells(news(30), { k, random: seededRandom(6), time: "closing" }))
    expect(named).toBeGreaterThan(100)
    expect(shareOfNamed).toBeGreaterThan(0.9)
  })

  test("names nobody where nobody has a long list", () => {
    expect(scored(swapInCells(news(0), { k, random: seededRandom(6), time: "closing" })).named).toBe(0)
  })
})
