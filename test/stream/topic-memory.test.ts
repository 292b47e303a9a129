import { expect, test } from "vitest"
import { forgotten, makeTopicMemory, TopicMemory } from "#dist/stream/live/topic-memory.js"

test("a text keeps its topic, whichever thread asks; another hash or length is another text", () => {
  const shared = makeTopicMemory()
  new TopicMemory(shared).keep(0xfedcba98, 0x12345678, 5, 77)
  const other = new TopicMemory(shared)
  expect(other.find(0xfedcba98, 0x12345678, 5)).toBe(77)
  expect(other.find(0xfedcba98, 0x12345678, 6)).toBe(forgotten)
  expect(other.find(0xfedcba98, 0x12345679, 5)).toBe(forgotten)
  expect(other.find(0xfedcba99, 0x12345678, 5)).toBe(forgotten)
})

test("negative topics are kept like others", () => {
  const memory = new TopicMemory(makeTopicMemory())
  memory.keep(7, 0xffffffff, 3, -1)
  memory.keep(8, 0xffffffff, 3, -2)
  expect([memory.find(7, 0xffffffff, 3), memory.find(8, 0xffffffff, 3)]).toEqual([-1, -2])
})

test("the oldest of four entries is replaced by a fifth", () => {
  const memory = new TopicMemory(makeTopicMemory())
  for (let low = 1; low <= 5; low++) memory.keep(9, low, 3, low * 10)
  expect([1, 2, 3, 4, 5].map((low) => memory.find(9, low, 3))).toEqual([forgotten, 20, 30, 40, 50])
})

test("an entry that another thread partly wrote is ignored", () => {
  const shared = makeTopicMemory()
  const memory = new TopicMemory(shared)
  memory.keep(9, 1, 3, 10)
  shared[9 * 16 + 2] = 11
  expect(memory.find(9, 1, 3)).toBe(forgotten)
})
