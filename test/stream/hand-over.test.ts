import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { StreamChange } from "#dist/stream/live/live-stream.js"
import { decodeClassified } from "#dist/stream/workers/classified-message.js"
import { handOver } from "#dist/stream/workers/hand-over.js"
import type { SwapOptions, SwapPartition } from "#dist/stream/workers/swap-partition.js"
import {
  CompactedTopic,
  messagesOf,
  openPartition,
  options,
  type Search,
  type Step,
  taxonomy,
  textOf,
  topics,
} from "./changelog-topic.ts"

/** Names that do not depend on the plan, so that releases under two plans can be compared. */
const kept = { settings: { ...options.settings, users: "keep" } } as const

const take = (partition: SwapPartition, message: Buffer | undefined) =>
  partition.take(decodeClassified(message ?? null, "here"))

/** Hands over what topics of a changelog have to topics of the next plan, and opens its partitions. */
function move(from: readonly CompactedTopic[], partitionOf: Int32Array, more: Partial<SwapOptions>) {
  const partitions = Math.max(...partitionOf) + 1
  const next = Array.from({ length: partitions }, () => new CompactedTopic(more))
  for (const [number, topic] of from.entries()) {
    const moved = handOver(topic.read(), { from: number, partitionOf, partitions })
    for (const [to, messages] of moved.entries()) next[to]?.write(messages)
  }
  return next.map((topic) => {
    const state = topic.read()
    const partition = openPartition(more)
    partition.changelog.restore(state)
    partition.adopt(state.moved)
    topic.write(partition.commit(0).state)
    return { topic, partition }
  })
}

const search = fc.record({ user: fc.nat(8), text: fc.nat(30), topic: fc.nat(2) })
const change = fc.constantFrom<StreamChange[]>({ withhold: ["cars"] }, { withhold: ["pets"] }, { reopen: ["cars"] })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ searches: fc.array(search, { maxLength: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ change }) },
)
const story = fc.array(step, { minLength: 1, maxLength: 30 })
const everything = new Int32Array(taxonomy.size)

describe("a handover", () => {
  test("changes nothing in what is released later, also if the new partition is killed at once", () => {
    fc.assert(
      fc.property(story, fc.nat(30), fc.constantFrom(3, 7, 1000), fc.boolean(), (steps, at, remember, isKilled) => {
        const more = { ...kept, remember }
        const messages = messagesOf(steps)
        const whole = openPartition(more)
        const before = new CompactedTopic(more)
        let partition = before.restore()
        for (const message of messages.slice(0, at)) {
          take(whole, message)
          take(partition, message)
        }
        whole.commit(at)
        before.write(partition.commit(at, { isMoved: true }).state)
        const [after] = move([before], everything, more)
        if (after === undefined) throw new Error("nothing was handed over")
        partition = isKilled ? after.topic.restore() : after.partition
        for (const message of messages.slice(at)) {
          take(whole, message)
          take(partition, message)
        }
        const { cellCounts, held, settings, nextRelease } = whole.core
        const { core } = partition
        expect(textOf(partition.commit(9).released)).toBe(textOf(whole.commit(9).released))
        expect(core.cellCounts.list()).toEqual(cellCounts.list())
        expect([core.held, core.settings.gated, core.nextRelease]).toEqual([held, settings.gated, nextRelease])
      }),
      { numRuns: 100 },
    )
  })

  test("takes what waits, what is remembered and the numbers of cells to the partition of each topic", () => {
    const before = new CompactedTopic(kept)
    const partition = before.restore()
    const released: Search[] = [1, 2, 3].map((user) => ({ user, text: user, topic: 0 }))
    for (const message of messagesOf([{ searches: released }, { searches: [{ user: 1, text: 9, topic: 2 }] }]))
      take(partition, message)
    before.write(partition.commit(2).state)
    const [dogs = 0, , cars = 0] = topics
    const partitionOf = Int32Array.from(everything, (_, topic) => (topic === cars ? 1 : 0))
    const [ofDogs, ofCars] = move([before], partitionOf, kept)
    expect([ofDogs?.partition.core.held, ofCars?.partition.core.held]).toEqual([0, 1])
    const back = ofDogs?.topic.restore()
    expect(back?.core.cellCounts.of(dogs)).toBe(1)
    const [again] = messagesOf([{ searches: released }])
    for (const one of [ofDogs?.partition, back]) if (one !== undefined) take(one, again)
    expect(back?.core.totals["withheld repeated"]).toBe(3)
    expect(ofDogs?.partition.core.totals["withheld repeated"]).toBe(3)
  })

  test("of several partitions to one lets it remember the latest pairs of each", () => {
    const cell = (topic: number, first: number) =>
      [1, 2, 3].map((user): Search => ({ user: first + user, text: first + user, topic }))
    const movers = [0, 1, 2].map((topic) => {
      const changelog = new CompactedTopic({ ...kept, remember: 3 })
      const partition = changelog.restore()
      for (const message of messagesOf([{ searches: cell(topic, 0) }, { searches: cell(topic, 10) }]))
        take(partition, message)
      changelog.write(partition.commit(2).state)
      return changelog
    })
    const [merged] = move(movers, everything, { ...kept, remember: 6 })
    for (const message of messagesOf([0, 1, 2].map((topic) => ({ searches: cell(topic, 10) }))))
      if (merged !== undefined) take(merged.partition, message)
    expect(merged?.partition.core.totals["withheld repeated"]).toBe(9)
  })
})
