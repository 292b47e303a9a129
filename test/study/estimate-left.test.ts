import { describe, expect, test } from "vitest"
import { estimateLeft } from "#dist/study/estimate-left.js"

const slow = { kind: "slow", cost: 30 }
const fast = { kind: "fast", cost: 10 }

describe("the time left of a study", () => {
  test("is unknown while nothing is done", () => {
    expect(estimateLeft({ done: [], running: [], waiting: [slow] }, { workers: 1 })).toBeUndefined()
  })

  test("expects a point to take as long as others of its kind", () => {
    const done = [
      { ...slow, seconds: 50 },
      { ...slow, seconds: 70 },
      { ...fast, seconds: 4 },
    ]
    expect(estimateLeft({ done, running: [], waiting: [slow, fast, fast] }, { workers: 1 })).toBe(68)
    expect(estimateLeft({ done, running: [], waiting: [slow, fast, fast] }, { workers: 2 })).toBe(34)
  })

  test("uses the cost of a new kind, and subtracts the time that a running point has taken", () => {
    const done = [{ ...fast, seconds: 20 }]
    expect(estimateLeft({ done, running: [], waiting: [slow] }, { workers: 1 })).toBe(60)
    expect(estimateLeft({ done, running: [{ ...slow, seconds: 50 }], waiting: [fast] }, { workers: 1 })).toBe(30)
    expect(estimateLeft({ done, running: [{ ...slow, seconds: 10 }], waiting: [] }, { workers: 2 })).toBe(50)
    expect(estimateLeft({ done, running: [{ ...slow, seconds: 90 }], waiting: [] }, { workers: 2 })).toBe(0)
  })
})
