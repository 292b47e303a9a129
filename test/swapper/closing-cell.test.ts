import fc from "fast-check"
import { expect, test } from "vitest"
import { ClosingCell } from "#dist/swapper/closing-cell.js"

test("members are in the order of their positions, each with its list and unit, in whatever order they came", () => {
  const positions = fc.uniqueArray(fc.nat({ max: 2 ** 40 }), { minLength: 1, maxLength: 300 })
  const cell = new ClosingCell()
  fc.assert(
    fc.property(positions, fc.constantFrom("drawn", "ascending", "descending"), (drawn, order) => {
      const given = order === "drawn" ? drawn : [...drawn].sort((a, b) => (order === "ascending" ? a - b : b - a))
      cell.begin(given.length)
      for (const [i, position] of given.entries()) cell.add(i, 1000 + i, position)
      cell.sort()
      expect([...cell.positions()]).toEqual([...given].sort((a, b) => a - b))
      for (let place = 0; place < cell.size; place++) {
        const list = cell.list[place] ?? -1
        expect(given[list]).toBe(cell.position[place])
        expect(cell.unit[place]).toBe(1000 + list)
      }
    }),
    { numRuns: 300 },
  )
})
