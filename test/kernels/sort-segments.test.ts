import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom, shuffle } from "#dist/kernels/random.js"
import { gather, orderByKey, sortWithinRuns } from "#dist/kernels/sort-segments.js"

interface Row {
  key: number
  time: number
  rank: number
  line: number
}

/** Runs `sortWithinRuns` on rows. `line` is carried along. */
function sortFast(rows: readonly Row[]): Row[] {
  const key = Int32Array.from(rows, (row) => row.key)
  const time = Int32Array.from(rows, (row) => row.time)
  const rank = Uint16Array.from(rows, (row) => row.rank)
  const line = Uint32Array.from(rows, (row) => row.line)
  sortWithinRuns(key, [time, rank], [line])
  return rows.map((_, i) => ({ key: key[i], time: time[i], rank: rank[i], line: line[i] }))
}

/** The oracle: a plain stable sort of each run of equal keys. */
function sortPlain(rows: readonly Row[]): Row[] {
  const runs: Row[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run?.[0].key === row.key) run.push(row)
    else runs.push([row])
  }
  return runs.flatMap((run) => run.sort((a, b) => a.time - b.time || a.rank - b.rank))
}

const rowsOf = (times: readonly number[], key = 0): Row[] =>
  times.map((time, i) => ({ key, time, rank: i % 3, line: i + 1 }))

describe("sorting the rows of each user", () => {
  test("gives what a plain stable sort of each run gives, with many equal keys", () => {
    const row = fc.record({
      key: fc.constantFrom(0, 0, 0, 1),
      time: fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      rank: fc.constantFrom(0, 1, 65535),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 120 }), (drawn) => {
        const rows = drawn.map((one, i) => ({ ...one, line: i + 1 }))
        expect(sortFast(rows)).toEqual(sortPlain(rows))
      }),
      { numRuns: 500 },
    )
  })

  test.each<[string, number[]]>([
    ["in order", Array.from({ length: 5000 }, (_, i) => i)],
    ["in reverse order", Array.from({ length: 5000 }, (_, i) => 5000 - i)],
    ["all at one time", Array.from({ length: 5000 }, () => 7)],
    ["in order but for the last", [...Array.from({ length: 5000 }, (_, i) => i), -1]],
    ["in two interleaved orders", Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? i : 5000 - i))],
  ])("a big run %s is sorted, next to its neighbours", (_name, times) => {
    const rows = [...rowsOf([3, 2, 1], 0), ...rowsOf(times, 1), ...rowsOf([2, 1, 2], 2)]
    expect(sortFast(rows)).toEqual(sortPlain(rows))
  })

  test("a big run in random order is sorted", () => {
    const times = Uint32Array.from({ length: 20_000 }, (_, i) => i >> 2)
    shuffle(times, seededRandom(3))
    const rows = rowsOf([...times])
    expect(sortFast(rows)).toEqual(sortPlain(rows))
  })

  // Lengths around the number of exchanges (four per row) after which a run is sorted from scratch.
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])("a reversed run of %d rows is sorted", (length) => {
    const rows = rowsOf(Array.from({ length }, (_, i) => length - i))
    expect(sortFast(rows)).toEqual(sortPlain(rows))
  })
})

describe("bringing a user's rows together", () => {
  test("keeps the order of the rows of one user", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 6 }), { maxLength: 100 }), (drawn) => {
        const plain = drawn.map((_, i) => i).sort((a, b) => drawn[a] - drawn[b] || a - b)
        const order = orderByKey(Int32Array.from(drawn), 7)
        expect([...order]).toEqual(plain)
        const column = Int32Array.from(drawn, (value, i) => value * 1000 + i)
        gather(column, order)
        expect([...column]).toEqual(plain.map((i) => drawn[i] * 1000 + i))
      }),
    )
  })
})
