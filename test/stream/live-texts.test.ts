import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { LiveTexts } from "#dist/stream/live/live-texts.js"
import { ReleasedPairs } from "#dist/stream/live/released-pairs.js"

const hashOf = (bytes: Uint8Array) => bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 7)

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "cc", "a longer text of more than one grain", "") },
  { weight: 1, arbitrary: fc.string({ maxLength: 2000 }) },
)
const steps = fc.array(fc.record({ text, isDropped: fc.boolean(), which: fc.nat() }), { maxLength: 300 })

/** The texts that are held, as a map. */
type Held = Map<string, { id: number; count: number; generation: number }>

function dropOne(texts: LiveTexts, holds: Held, which: number) {
  const names = [...holds.keys()]
  const name = names[which % names.length] ?? ""
  const held = holds.get(name)
  if (held === undefined) return
  texts.drop(held.id)
  if (--held.count === 0) holds.delete(name)
}

function holdOne(texts: LiveTexts, holds: Held, { text, mask }: { text: string; mask: number }) {
  const bytes = Buffer.from(text)
  const id = texts.hold(bytes, 0, bytes.length, hashOf(bytes) & mask)
  const held = holds.get(text)
  if (held === undefined) holds.set(text, { id, count: 1, generation: texts.generation(id) })
  else {
    expect(id).toBe(held.id)
    held.count++
  }
}

describe("texts in memory", () => {
  test.each([0, 1, 4])("keep their ids and bytes, however many came and went (%i idle)", (idle) => {
    fc.assert(
      // With the mask 0, all texts collide in one slot.
      fc.property(steps, fc.constantFrom(0, 0xff), (all, mask) => {
        const texts = new LiveTexts({ idle })
        const holds: Held = new Map()
        for (const { text, isDropped, which } of all) {
          if (isDropped && holds.size > 0) dropOne(texts, holds, which)
          else holdOne(texts, holds, { text, mask })
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

  test("take no more memory than the largest amount held at one time", () => {
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

test("at least the given number of the last released pairs is remembered", () => {
  const pair = fc.tuple(fc.nat({ max: 0xffffffff }), fc.nat({ max: 0xffffffff }))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 100 }), fc.integer({ min: 1, max: 8 }), (all, most) => {
      const pairs = new ReleasedPairs({ most })
      for (const [i, [high, low]] of all.entries()) {
        pairs.add(high, low)
        for (const [a, b] of all.slice(Math.max(0, i + 1 - most), i + 1)) expect(pairs.has(a, b)).toBe(true)
      }
    }),
  )
})

test("a pair that was not released is rarely taken for one (at most 4 in 10,000; 2 are expected here)", () => {
  const random = seededRandom(5)
  const pairs = new ReleasedPairs({ most: 90_000 })
  for (let i = 0; i < 180_000; i++) pairs.add(random.uint32(), random.uint32())
  let wrong = 0
  for (let i = 0; i < 200_000; i++) if (pairs.has(random.uint32(), random.uint32())) wrong++
  expect(wrong).toBeLessThan(80)
})
