import fc from "fast-check"
import { LiveTexts, ReleasedPairs } from "queryveil/stream"
import { describe, expect, test } from "vitest"

const hashOf = (bytes: Uint8Array) => bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 7)

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "cc", "a longer text of more than one grain", "") },
  { weight: 1, arbitrary: fc.string({ maxLength: 2000 }) },
)
const steps = fc.array(fc.record({ text, isDropped: fc.boolean(), which: fc.nat() }), { maxLength: 300 })

describe("texts that are held", () => {
  test.each([0, 1, 4])("keep their ids and bytes, however many came and went (%i idle)", (idle) => {
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 0xff), (all, mask) => {
        const texts = new LiveTexts({ idle })
        const holds = new Map<string, { id: number; count: number; generation: number }>()
        for (const { text, isDropped, which } of all) {
          const known = [...holds.keys()]
          if (isDropped && known.length > 0) {
            const name = known[which % known.length] ?? ""
            const held = holds.get(name)
            if (held === undefined) continue
            texts.drop(held.id)
            if (--held.count === 0) holds.delete(name)
          } else {
            const bytes = Buffer.from(text)
            const hash = hashOf(bytes) & mask // 0: all texts meet in one slot
            const id = texts.hold(bytes, 0, bytes.length, hash)
            const held = holds.get(text)
            if (held === undefined) holds.set(text, { id, count: 1, generation: texts.generation(id) })
            else {
              expect(id).toBe(held.id)
              held.count++
            }
          }
          expect(new Set([...holds.values()].map(({ id }) => id)).size).toBe(holds.size)
          for (const [name, { id, generation }] of holds) {
            expect(Buffer.from(texts.bytes(id)).toString()).toBe(name)
            expect(texts.generation(id)).toBe(generation)
          }
          expect(texts.size).toBeGreaterThanOrEqual(holds.size)
          expect(texts.size).toBeLessThanOrEqual(holds.size + idle)
        }
      }),
      { numRuns: 200 },
    )
  })

  test("take no more memory than the most that were held at one time", () => {
    const texts = new LiveTexts({ idle: 10 })
    const ids: number[] = []
    let largest = 0
    for (let i = 0; i < 200_000; i++) {
      const bytes = Buffer.from(`text ${i} ${"x".repeat(i % 50)}`)
      ids.push(texts.hold(bytes, 0, bytes.length, hashOf(bytes)))
      if (ids.length > 1000) texts.drop(ids.shift() ?? -1)
      if (i === 20_000) largest = texts.arena.length
    }
    expect(texts.arena.length).toBe(largest)
    expect(texts.ids).toBeLessThanOrEqual(1012)
  })
})

test("of the pairs that were released, at least the last so many are known, and never one that was not", () => {
  const pair = fc.tuple(fc.constantFrom(0, 1, 2, 0xffffffff), fc.constantFrom(1, 2, 3, 0xfffffffe))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 100 }), fc.integer({ min: 1, max: 8 }), (all, most) => {
      const pairs = new ReleasedPairs({ most })
      const order: string[] = []
      for (const [high, low] of all) {
        expect(pairs.has(high, low) && !order.includes([high, low].join())).toBe(false)
        pairs.add(high, low)
        order.push([high, low].join())
        const last = new Set(order.slice(-most))
        for (const name of last) {
          const [a = 0, b = 0] = name.split(",").map(Number)
          expect(pairs.has(a, b)).toBe(true)
        }
      }
    }),
  )
})
