import * as fc from "fast-check"
import { expect, test } from "vitest"
import { balanceCell } from "#dist/kernels/linkage/balance-cell.js"

/** Matrices with zeros exactly on the diagonal: nobody issued the search that they are shown with. */
const anyMatrix = fc
  .integer({ min: 3, max: 12 })
  .chain((size) =>
    fc.array(fc.array(fc.integer({ min: 3, max: 60 }), { minLength: size, maxLength: size }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map((rows) => rows.map((row, i) => row.map((value, j) => (i === j ? 0 : value / 10))))

const balanced = (rows: readonly number[][]) => {
  const matrix = Float32Array.from(rows.flat())
  balanceCell(matrix, rows.length)
  return rows.map((_, i) => [...matrix.subarray(i * rows.length, (i + 1) * rows.length)])
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test("a balanced cell gives each search one member, and each member one search, as far as chances go", () => {
  fc.assert(
    fc.property(anyMatrix, (rows) => {
      const result = balanced(rows)
      for (const row of result) expect(sum(row)).toBeCloseTo(1, 5)
      for (const column of result.keys()) expect(sum(result.map((row) => row[column]))).toBeCloseTo(1, 2)
    }),
  )
})

test("a balanced cell is zero where it was zero, and only there", () => {
  fc.assert(
    fc.property(anyMatrix, (rows) => {
      expect(balanced(rows).map((row) => row.map((value) => value > 0))).toEqual(
        rows.map((row) => row.map((value) => value > 0)),
      )
    }),
  )
})

test("a balanced cell is the given one with rows and columns scaled", () => {
  fc.assert(
    fc.property(anyMatrix, (rows) => {
      const result = balanced(rows)
      // Scaling does not change the ratio of the two ways around the first three rows and columns.
      const ratio = (of: readonly number[][]) => (of[0][1] * of[1][2] * of[2][0]) / (of[0][2] * of[2][1] * of[1][0])
      expect(ratio(result) / ratio(rows)).toBeCloseTo(1, 3)
    }),
  )
})

test("an empty row stays unchanged", () => {
  expect(
    balanced([
      [0, 0],
      [1, 1],
    ])[0],
  ).toEqual([0, 0])
})
