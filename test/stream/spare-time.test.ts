import { expect, test } from "vitest"
import { SpareTime } from "#dist/stream/live/spare-time.js"

test("the main thread reads small blocks as long as they take less than a quarter of its time", () => {
  let now = 0
  const spare = new SpareTime(() => now)
  const run = (milliseconds: number) =>
    spare.use(() => {
      now += milliseconds
    })
  for (let block = 0; block < 1000; block++) {
    expect(spare.isLeft()).toBe(true)
    run(2)
    now += 8
  }
  let blocks = 0
  for (; spare.isLeft(); blocks++) {
    run(8)
    now += 2
  }
  expect(blocks).toBeGreaterThan(10)
  expect(blocks).toBeLessThan(100)
  now += 60_000
  expect(spare.isLeft()).toBe(true)
})
