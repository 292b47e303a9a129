import * as fc from "fast-check"
import { createContext } from "queryveil/kernels"
import { expect, test } from "vitest"
import { countSetUsers } from "../../src/kernels/set-users.ts"

const size = 5
const input = fc
  .array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 4 }), { minLength: 1, maxLength: 6 })
  .chain((sets) =>
    fc.record({
      sets: fc.constant(sets),
      rows: fc
        .array(fc.record({ user: fc.integer({ min: -1, max: 5 }), set: fc.nat({ max: sets.length - 1 }) }))
        .map((rows) => rows.sort((a, b) => a.user - b.user)),
      shardRows: fc.integer({ min: 1, max: 8 }),
    }),
  )

test("the users of every member are counted once, however the rows are cut", async () => {
  await fc.assert(
    fc.asyncProperty(input, async ({ sets, rows, shardRows }) => {
      const offsets = Uint32Array.from([0, ...sets], (_, i) => sets.slice(0, i).flat().length)
      const members = Int32Array.from(sets.flat())
      const user = Int32Array.from(rows, (row) => row.user)
      const query = Int32Array.from(rows, (row) => row.set)
      const context = createContext({ workers: 1 })
      const counted = await countSetUsers({ offsets, members, size }, { user, query, shardRows }, context)
      const usersOf = (member: number) =>
        new Set(rows.filter((row) => row.user >= 0 && sets[row.set].includes(member)).map((row) => row.user)).size
      expect([...counted]).toEqual(Array.from({ length: size }, (_, member) => usersOf(member)))
    }),
  )
})
