import fc from "fast-check"
import { expect, test } from "vitest"
import { holdRareTexts } from "#dist/swapper/hold-rare.js"

test("a text is kept back until enough users issued it, and then goes on in the order of its arrival", () => {
  const arrivals = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 3 })), { maxLength: 80 })
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 4 }), (given, users) => {
      const passed: number[][] = []
      const columns = {
        user: Int32Array.from(given, ([user]) => user),
        text: Int32Array.from(given, ([, text]) => text),
      }
      const hold = holdRareTexts(columns, { users, pass: (record) => passed.at(-1)?.push(record) })
      given.forEach((_, record) => {
        passed.push([])
        hold.offer(record)
      })
      const gone = new Set<number>()
      given.forEach(([, text], record) => {
        const sameText = given.flatMap(([user, other], i) => (other === text && i <= record ? [{ user, i }] : []))
        const enough = new Set(sameText.map(({ user }) => user)).size >= users
        const leaving = enough ? sameText.map(({ i }) => i).filter((i) => !gone.has(i)) : []
        for (const i of leaving) gone.add(i)
        expect(passed[record]).toEqual(leaving)
      })
      expect(hold.held).toBe(given.length - gone.size)
    }),
    { numRuns: 300 },
  )
})

test("looks at a few users for each record, however many issued a text before", () => {
  const records = 4000
  let reads = 0
  const user = new Proxy(
    Int32Array.from({ length: records }, (_, i) => (i * 7) % 500),
    {
      get: (column, key) => {
        reads++
        return Reflect.get(column, key, column)
      },
    },
  )
  const hold = holdRareTexts({ user, text: new Int32Array(records) }, { users: 501, pass: () => {} })
  for (let record = 0; record < records; record++) hold.offer(record)
  expect(hold.held).toBe(records)
  expect(reads).toBeLessThan(10 * records) // walking through them would take 200 reads or more per record
})
