import fc from "fast-check"
import { expect, test } from "vitest"
import { ClosingCell } from "#dist/swapper/closing-cell.js"

type Key = [time: number, high: number, low: number]

/** Halves of a hash: few values, so that positions coincide, with all bits in use. */
const half = fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1)
const key = fc.tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), half, half)
const nearKey = fc.tuple(fc.integer({ min: -1, max: 1 }), half, half)

test("members are in the order of time, hash and arrival, each with its list and unit, however they came", () => {
  const keys = fc.array(fc.oneof(key, nearKey), { minLength: 1, maxLength: 300 })
  let given: Key[] = []
  let arrivals: number[] = []
  const cell = new ClosingCell({
    time: (unit) => given[unit - 1000]?.[0] ?? 0,
    high: (unit) => (given[unit - 1000]?.[1] ?? 0) | 0, // stored as signed numbers
    low: (unit) => (given[unit - 1000]?.[2] ?? 0) | 0,
    arrival: (unit) => arrivals[unit - 1000] ?? -1,
  })
  const compare = (a: number, b: number) =>
    (given[a] ?? []).map((value, i) => value - (given[b]?.[i] ?? 0)).find((difference) => difference !== 0) ??
    (arrivals[a] ?? 0) - (arrivals[b] ?? 0)
  fc.assert(
    fc.property(keys, fc.constantFrom("drawn", "ascending", "descending"), fc.nat(), (drawn, order, shift) => {
      given = drawn
      arrivals = drawn.map((_, i) => (i + shift) % drawn.length)
      const sorted = [...drawn.keys()].sort(compare)
      const added = order === "drawn" ? [...drawn.keys()] : order === "ascending" ? sorted : [...sorted].reverse()
      cell.begin(added.length)
      for (const i of added) cell.add(i, 1000 + i)
      cell.sort()
      expect([...cell.list.subarray(0, cell.size)]).toEqual(sorted)
      expect([...cell.unit.subarray(0, cell.size)]).toEqual(sorted.map((i) => 1000 + i))
      expect([...cell.positions()]).toEqual(
        sorted.flatMap((i) => {
          const [time, high, low] = given[i] ?? [0, 0, 0]
          return [time + 2 ** 31, high, low]
        }),
      )
    }),
    { numRuns: 300 },
  )
})
