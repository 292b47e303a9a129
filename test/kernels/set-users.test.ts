import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { countSetUsers } from "#dist/kernels/set-users.js"

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

test("two workers count what one does", async () => {
  const sets = 1000
  const shared = (length: number, value: (i: number) => number) => {
    const array = new Int32Array(new SharedArrayBuffer(length * 4))
    for (let i = 0; i < length; i++) array[i] = value(i)
    return array
  }
  const offsets = new Uint32Array(shared(sets + 1, (set) => set * 3).buffer)
  const members = shared(sets * 3, (i) => (i * 7919) % 97)
  const user = shared(20_000, (row) => Math.floor(row / 7))
  const query = shared(20_000, (row) => (row * 31) % sets)
  const count = (workers: number) =>
    countSetUsers({ offsets, members, size: 97 }, { user, query, shardRows: 1500 }, createContext({ workers }))
  const one = await count(1)
  expect(await count(2)).toEqual(one)
  expect(one.every((users) => users > 1)).toBe(true)
})
