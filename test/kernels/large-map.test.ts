import fc from "fast-check"
import { expect, test } from "vitest"
import { LargeMap } from "#dist/kernels/large-map.js"

test("a large map is a map, however many parts it has", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat())), fc.integer({ min: 1, max: 5 }), (entries, most) => {
      const [large, plain] = [new LargeMap<number, number>({ most }), new Map<number, number>()]
      for (const [key, value] of entries) {
        large.set(key, value)
        plain.set(key, value)
        expect(large.size).toBe(plain.size)
      }
      for (let key = 0; key <= 21; key++) {
        expect(large.has(key)).toBe(plain.has(key))
        expect(large.get(key)).toBe(plain.get(key))
      }
    }),
  )
})
