import { describe, expect, test } from "vitest"
import { nameNumbers } from "#dist/kernels/numbered-names.js"
import { pseudonymBytes, writePseudonym } from "#dist/kernels/pseudonyms.js"

const key = (first: number) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? first : i))

function namesOf(secret: Uint8Array, numbers: readonly number[]): string[] {
  const names = nameNumbers(secret, Float64Array.from(numbers))
  return numbers.map((_, i) => {
    const out = new Uint8Array(pseudonymBytes)
    writePseudonym(names, i, out)
    return Buffer.from(out).toString("latin1")
  })
}

describe("names of numbers", () => {
  test("are distinct, and look like every other name", () => {
    const numbers = [...Array.from({ length: 50_000 }, (_, i) => i), 2 ** 30, 2 ** 31, 2 ** 40, 2 ** 52]
    const names = namesOf(key(1), numbers)
    expect(new Set(names).size).toBe(numbers.length)
    for (const name of names) expect(name).toMatch(/^u[a-z2-7]{12}$/)
  })

  test("are the same wherever a number is named, and others under another key", () => {
    expect(namesOf(key(1), [5, 6, 7])).toEqual([7, 6, 5].map((number) => namesOf(key(1), [number])[0]).reverse())
    expect(namesOf(key(2), [5])).not.toEqual(namesOf(key(1), [5]))
  })

  // Each of 60 bits is one in half of the names: of 20,000 names within 5 standard deviations (0.0177). A false alarm
  // of any of the 60 bits has a chance below 1 in 28,000.
  test("have bits that numbers in a row do not predict", () => {
    const names = nameNumbers(
      key(3),
      Float64Array.from({ length: 20_000 }, (_, i) => i),
    )
    for (const half of [names.high, names.low]) {
      for (let bit = 0; bit < 30; bit++) {
        const ones = half.reduce((sum, word) => sum + ((word >>> bit) & 1), 0)
        expect(Math.abs(ones / half.length - 0.5)).toBeLessThan(5 * 0.5 * half.length ** -0.5)
      }
    }
  })
})
