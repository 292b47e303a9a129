import fc from "fast-check"
import { expect, test } from "vitest"
import { firstAtLeast, searchSorted } from "#dist/kernels/search-sorted.js"

const sortedPart = fc
  .tuple(
    fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 12 }),
    fc.nat(12),
    fc.nat(12),
    fc.integer({ min: -6, max: 6 }),
  )
  .map(([values, a, b, wanted]) => {
    const [from, to] = [a, b].map((place) => Math.min(place, values.length)).sort((one, other) => one - other)
    return { values: Int32Array.from(values).sort(), from, to, wanted }
  })

test("a value is found at its first place, within the given part", () => {
  fc.assert(
    fc.property(sortedPart, ({ values, from, to, wanted }) => {
      const places = Array.from({ length: to - from }, (_, i) => from + i)
      expect(firstAtLeast(values, wanted, { from, to })).toBe(places.find((place) => values[place] >= wanted) ?? to)
      expect(searchSorted(values, wanted, { from, to })).toBe(places.find((place) => values[place] === wanted) ?? -1)
    }),
  )
})

test("without a part everything is searched, numbers of 64 bits too", () => {
  expect(firstAtLeast([1, 3, 3, 9], 4)).toBe(3)
  expect(searchSorted([1, 3, 3, 9], 3)).toBe(1)
  expect(searchSorted(BigUint64Array.of(1n, 2n ** 60n), 2n ** 60n)).toBe(1)
  expect(searchSorted([], 1)).toBe(-1)
})
