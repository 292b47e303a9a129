import { describe, expect, test } from "vitest"
import { insiderChance } from "#dist/kernels/derangements.js"

/** All derangements of 0 … n − 1. */
function derangements(n: number, begun: number[] = []): number[][] {
  if (begun.length === n) return [begun]
  return Array.from({ length: n }, (_, i) => i)
    .filter((i) => i !== begun.length && !begun.includes(i))
    .flatMap((i) => derangements(n, [...begun, i]))
}

/** The best that one of n users can know. They are user 1, and know that their record was dealt to user 0. */
function insiderByHand(n: number): number {
  const possible = derangements(n).filter((issuer) => issuer[0] === 1)
  let best = 0
  for (let record = 1; record < n; record++)
    for (let user = 0; user < n; user++)
      best = Math.max(best, possible.filter((issuer) => issuer[record] === user).length / possible.length)
  return best
}

describe("the chance of a member of a cell", () => {
  test.each([3, 4, 5, 6, 7, 8])("of %i users is what counting all derangements gives", (n) => {
    expect(insiderChance(n)).toBeCloseTo(insiderByHand(n), 12)
  })

  test("stays close to 1 in k − 1 for large cells", () => {
    for (const k of [20, 200, 100_000]) {
      expect(insiderChance(k + 1)).toBeGreaterThan(1 / (k - 1))
      expect(insiderChance(k + 1)).toBeLessThan(1 / (k - 1.2))
    }
  })
})
