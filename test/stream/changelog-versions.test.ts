import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { decodeClassified } from "#dist/stream/workers/classified-message.js"
import { stateVersion } from "#dist/stream/workers/state-messages.js"
import type { SwapPartition } from "#dist/stream/workers/swap-partition.js"
import { CompactedTopic, openPartition, textOf } from "./changelog-topic.ts"

/** A changelog as a version wrote it, the messages that came next, and what that version then released. */
interface Kept {
  values: Record<string, string>
  next: string[]
  released: string
  held: number
}

const file = new URL("fixtures/changelog-1.json", import.meta.url)
const kept: { begun: Kept; moved: Kept } = JSON.parse(readFileSync(file, "utf8"))

const topicOf = ({ values }: Kept) => {
  const topic = new CompactedTopic()
  for (const [key, value] of Object.entries(values)) topic.values.set(key, Buffer.from(value, "base64"))
  return topic
}

const goOn = (partition: SwapPartition, { next, released, held }: Kept) => {
  for (const message of next) partition.take(decodeClassified(Buffer.from(message, "base64"), "here"))
  expect(textOf(partition.commit(100).released)).toBe(released)
  expect(partition.core.held).toBe(held)
}

/** Workers of two versions take turns while a group is updated. */
describe("a changelog of version 1", () => {
  test("is read, and what follows is released as that version released it", () => {
    goOn(topicOf(kept.begun).restore(), kept.begun)
  })

  test("is read where a handover has begun, and what follows is released in the same way", () => {
    const state = topicOf(kept.moved).read()
    const partition = openPartition()
    partition.changelog.restore(state)
    partition.adopt(state.moved)
    goOn(partition, kept.moved)
  })
})

test("a changelog of a later version is refused", () => {
  const later = Buffer.from(JSON.stringify({ version: stateVersion + 1, blocks: { records: 0, pairs: 0 }, cells: [] }))
  for (const key of ["h", "m0"]) {
    const topic = new CompactedTopic()
    topic.write([{ key, value: later }])
    expect(() => topic.restore()).toThrow(/later version of queryveil/)
  }
})
