import fc from "fast-check"
import { expect, test } from "vitest"
import { RecordTable } from "#dist/swapper/record-table.js"

test("an entry is found by its pair until it is removed, however many came and went, and whatever is reserved", () => {
  const step = fc.record({
    pair: fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })),
    entry: fc.nat({ max: 200_000 }),
    reserved: fc.option(fc.nat({ max: 2000 }), { freq: 10 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const pairs = new Map<number, readonly [number, number]>()
      const table = new RecordTable({ a: (e) => pairs.get(e)?.[0] ?? -1, b: (e) => pairs.get(e)?.[1] ?? -1 })
      const held = new Map<string, number>()
      for (const { pair, entry, reserved } of steps) {
        const [a, b] = pair
        if (reserved !== null) table.reserve(reserved)
        const known = held.get(pair.join())
        expect(table.find(a, b)).toBe(known ?? -1)
        if (known !== undefined) {
          table.remove(known, a, b)
          held.delete(pair.join())
          pairs.delete(known)
        } else if (!pairs.has(entry)) {
          pairs.set(entry, pair)
          table.add(entry, a, b)
          held.set(pair.join(), entry)
        }
      }
    }),
    { numRuns: 300 },
  )
})
