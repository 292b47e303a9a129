import * as fc from "fast-check"
import { expect, test } from "vitest"
import { countDistinctUsers } from "#dist/kernels/distinct-users.js"

const size = 6

/** Rows grouped by user, as in a search log, and the rows to look at. */
const log = fc
  .array(fc.record({ user: fc.nat({ max: 5 }), value: fc.integer({ min: -1, max: size - 1 }), kept: fc.boolean() }))
  .map((rows) => rows.sort((a, b) => a.user - b.user))

function countBySets(rows: readonly { user: number; value: number }[]): number[] {
  const users = Array.from({ length: size }, () => new Set<number>())
  for (const { user, value } of rows) if (value >= 0) users[value].add(user)
  return users.map((set) => set.size)
}

test("the users of each value are counted once, and no click counts for none", () => {
  fc.assert(
    fc.property(log, (rows) => {
      const column = Int32Array.from(rows, ({ value }) => value)
      const user = Int32Array.from(rows, (row) => row.user)
      expect([...countDistinctUsers(column, user, { size })]).toEqual(countBySets(rows))
    }),
  )
})

test("of the rows named only those are counted", () => {
  fc.assert(
    fc.property(log, (all) => {
      const column = Int32Array.from(all, ({ value }) => value)
      const user = Int32Array.from(all, (row) => row.user)
      const rows = Uint32Array.from(all.flatMap(({ kept }, i) => (kept ? [i] : [])))
      const counts = countDistinctUsers(column, user, { size, rows })
      expect([...counts]).toEqual(countBySets(all.filter(({ kept }) => kept)))
    }),
  )
})
