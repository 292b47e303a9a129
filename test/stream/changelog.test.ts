import fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import type { StreamChange } from "#dist/stream/live/live-stream.js"
import { RecordCollector } from "#dist/stream/live/record-collector.js"
import { decodeClassified, encodeEnd } from "#dist/stream/workers/classified-message.js"
import { handOver } from "#dist/stream/workers/hand-over.js"
import type { StateMessage } from "#dist/stream/workers/partition-changelog.js"
import { countRestored } from "#dist/stream/workers/restore-state.js"
import { WorkerSecrets } from "#dist/stream/workers/secret-file.js"
import { StateSeal } from "#dist/stream/workers/state-seal.js"
import {
  CompactedTopic,
  factsOf,
  messagesOf,
  openPartition,
  type Step,
  spanOf,
  taxonomy,
  textOf,
  topics,
} from "./changelog-topic.ts"

const search = fc.record({ user: fc.nat(8), text: fc.nat(30), topic: fc.nat(2) })
const change: fc.Arbitrary<StreamChange> = fc.oneof(
  fc.record({ k: fc.integer({ min: 2, max: 4 }) }),
  fc.constant({ withhold: ["cars"] }),
  fc.constant({ reopen: ["cars"] }),
  fc.record({ secret: fc.integer({ min: 1, max: 2 }) }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ searches: fc.array(search, { maxLength: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ change }) },
)
/** What a worker does after a message. */
const fate = fc.constantFrom("commit", "commit", "commit", "checkpoint", "go on", "crash", "crash in commit")

/** Limits so small that a checkpoint takes many transactions. */
const limits = fc.record({
  checkpointBytes: fc.constantFrom(1, 300, 3000),
  blockPairs: fc.constantFrom(1, 2, 5, 100),
  frameLeft: fc.constantFrom(1, 3, 100),
  blockBytes: fc.constantFrom(1, 20, 1000),
})
/** So few pairs that generations change, and so many that they do not. */
const remembers = fc.constantFrom(3, 7, 1000)

describe("the changelog of a partition", () => {
  test("gives the releases of a partition that never stopped, whenever workers are killed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(step, fate), { minLength: 1, maxLength: 40 }),
        limits,
        remembers,
        (story, of, remember) => {
          const more = { limits: of, remember }
          const messages = messagesOf(story.map(([what]) => what))
          const whole = openPartition(more)
          for (const message of messages) whole.take(decodeClassified(message, "here"))
          const expected = textOf(whole.commit(messages.length).released)

          const topic = new CompactedTopic(more)
          let partition = topic.restore()
          let [released, committed] = ["", 0]
          const fates = story.map(([, what]) => what)
          for (let at = 0; at < messages.length; ) {
            partition.take(decodeClassified(messages[at] ?? null, "here"))
            const what = fates[at]
            fates[at] = "commit" // the second time it goes well
            at++
            if (what === "go on" && at < messages.length) continue
            if (what === "checkpoint") partition.changelog.beginCheckpoint()
            if (what !== "crash") {
              const { released: more, state } = partition.commit(at)
              if (what !== "crash in commit") {
                topic.write(state)
                released += textOf(more)
                committed = at
                continue
              }
            }
            partition = topic.restore()
            at = committed
          }
          expect(released).toBe(expected)
          expect(factsOf(partition)).toEqual(factsOf(whole))
        },
      ),
      { numRuns: 120 },
    )
  })

  test("holds nothing of a search that was released, once a checkpoint is done", () => {
    const searches = Array.from({ length: 3000 }, (_, i) => ({ user: i % 40, text: i, topic: i }))
    const topic = new CompactedTopic()
    const partition = topic.restore()
    const messages = messagesOf([{ searches: searches.slice(0, 1500) }, { searches: searches.slice(1500) }])
    let released = ""
    for (const [i, message] of messages.entries()) {
      partition.take(decodeClassified(message, "here"))
      const { released: more, state } = partition.commit(i + 1)
      topic.write(state)
      released += textOf(more)
    }
    for (let i = 0; partition.changelog.isCheckpointing || i === 0; i++) {
      partition.changelog.beginCheckpoint()
      topic.write(partition.commit(2).state)
    }
    const texts = new Set(released.match(/w\d+/g))
    const kept = [...topic.values].map(([key, value]) => topic.seal.open(key, value).toString("latin1")).join("\n")
    expect(texts.size).toBeGreaterThan(1000)
    expect((kept.match(/w\d+/g) ?? []).filter((text) => texts.has(text))).toEqual([])
    expect([...topic.values.keys()].filter((key) => key.startsWith("f")).length).toBeLessThan(2)
  })

  test("is checkpointed in small transactions, however many transactions and pairs there were before", () => {
    const topic = new CompactedTopic({
      remember: 100_000,
      limits: { checkpointBytes: 2000, blockPairs: 50, frameLeft: 10 },
    })
    const partition = topic.restore()
    partition.core.remember(Uint32Array.from({ length: 4000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1)))
    for (let i = 0; i < 500; i++) topic.write(partition.commit(i).state)
    partition.changelog.beginCheckpoint()
    let transactions = 0
    while (partition.changelog.isCheckpointing) {
      const { state } = partition.commit(500)
      expect(state.length).toBeLessThan(25)
      topic.write(state)
      transactions++
    }
    expect(transactions).toBeGreaterThan(20)
    const [keys, pairs] = [[...topic.values.keys()], 2000]
    expect(keys.filter((key) => key.startsWith("f"))).toHaveLength(transactions)
    expect(keys.filter((key) => key.startsWith("p"))).toHaveLength(pairs / 50)
    expect(countRestored(topic.read()).pairs).toBe(pairs)
  })

  test("has no message that is near the limit of Kafka, however long texts are", () => {
    const topic = new CompactedTopic({ backlog: 1000 })
    const [partition, long] = [topic.restore(), "x".repeat(12 << 10)]
    const sizes: number[] = []
    const keep = (state: readonly StateMessage[]) => {
      for (const { value } of state) sizes.push(value?.length ?? 0)
      topic.write(state)
    }
    const collector = new RecordCollector()
    const numbers = { topic: topics[0] ?? 0, time: 1_000_000, arrival: 0, rank: 1 }
    const take = (texts: readonly string[]) => {
      for (const text of texts) collector.add(numbers, [spanOf("one user"), spanOf(text)])
      partition.take({ records: collector.take() })
    }
    take(Array.from({ length: 500 }, (_, i) => `${i}${long}`)) // a single user: all wait
    keep(partition.commit(1).state)
    const checkpoint = () => {
      partition.changelog.beginCheckpoint()
      while (partition.changelog.isCheckpointing) keep(partition.commit(1).state)
    }
    checkpoint()
    expect([...topic.values.keys()]).toContain("w0.1")
    const state = topic.read()
    const [moved] = handOver(state, { from: 0, partitionOf: new Int32Array(taxonomy.size), partitions: 1 })
    keep(moved ?? [])
    expect(Math.max(...sizes)).toBeLessThan(4.2 * 2 ** 20)
    expect(topic.restore().core.held).toBe(500)
  })

  test("restores more records than a Map has room for", () => {
    const topic = new CompactedTopic({ backlog: 4000 })
    const partition = topic.restore()
    for (const message of messagesOf([
      { searches: Array.from({ length: 3000 }, (_, i) => ({ user: 1, text: i, topic: 0 })) },
    ]))
      partition.take(decodeClassified(message, "here"))
    topic.write(partition.commit(1).state)
    const room = 600 // stands for the 16,777,216 of V8
    class SmallMap<K, V> extends Map<K, V> {
      override set(key: K, value: V): this {
        if (this.size >= room) throw new RangeError("Map maximum size exceeded")
        return super.set(key, value)
      }
    }
    vi.stubGlobal("Map", SmallMap)
    try {
      expect([...topic.read().waiting.inOrder()].map(({ number }) => number)).toEqual([...Array(3000).keys()])
    } finally {
      vi.unstubAllGlobals()
    }
    expect(topic.restore().core.held).toBe(3000)
  })

  test("is encrypted under a new secret soon, also what is quiet, and if the worker is killed", () => {
    const topic = new CompactedTopic({ limits: { blockPairs: 2, checkpointBytes: 200 } })
    let partition = topic.restore()
    const commit = () => {
      const { secret } = partition.core.settings
      topic.write(partition.commit(1).state, secret)
    }
    const checkpoint = () => {
      partition.changelog.beginCheckpoint()
      do commit()
      while (partition.changelog.isCheckpointing)
    }
    const searches = [1, 2, 3].map((user) => ({ user, text: user, topic: 0 })) // they are released: pairs
    const waiting = { user: 4, text: 9, topic: 1 }
    for (const message of messagesOf([{ searches }, { searches: [waiting] }]))
      partition.take(decodeClassified(message, "here"))
    commit()
    checkpoint()
    const versions = () => new Set([...topic.values.values()].map((sealed) => topic.seal.versionOf(sealed)))
    const quiet = [...topic.values.keys()].filter((key) => !key.startsWith("f"))
    expect(quiet.sort()).toEqual(["h", "p0.0", "p0.1", "w0"])
    expect(versions()).toEqual(new Set([1]))
    partition.take({ change: { secret: 2 }, secretChecks: [] })
    commit()
    expect(partition.isToRestore).toBe(true)
    partition = topic.restore()
    expect(partition.changelog.hasNews).toBe(true)
    checkpoint()
    expect(versions()).toEqual(new Set([2]))
    expect(partition.changelog.hasNews).toBe(false)
    partition = topic.restore()
    expect(partition.core.held).toBe(1)
    partition.take(decodeClassified(messagesOf([{ searches }])[0] ?? null, "here"))
    expect(partition.core.totals["withheld repeated"]).toBe(3)
  })

  test("does not show its content, and is refused under another secret", () => {
    const topic = new CompactedTopic()
    const partition = topic.restore()
    const [message] = messagesOf([{ searches: [{ user: 1, text: 77, topic: 0 }] }])
    partition.take(decodeClassified(message ?? null, "here"))
    topic.write(partition.commit(1).state)
    const [[key, value]] = topic.values
    expect(value.includes("w77")).toBe(false)
    expect(topic.seal.open(key, value).includes("w77")).toBe(true)
    const other = new StateSeal(new WorkerSecrets([Buffer.alloc(32, 2)]), "changelog/3")
    expect(() => other.open(key, value)).toThrow(/secret/)
    expect(() => topic.seal.open("f9", value)).toThrow(/decrypted/)
    expect(() => new StateSeal(new WorkerSecrets([Buffer.alloc(32, 1)]), "changelog/4").open(key, value)).toThrow(
      /decrypted/,
    )
  })

  test("is refused if a frame is missing", () => {
    const topic = new CompactedTopic()
    const partition = topic.restore()
    for (const [i, message] of messagesOf(Array.from({ length: 4 }, () => ({ searches: [] }))).entries()) {
      partition.take(decodeClassified(message, "here"))
      topic.write(partition.commit(i + 1).state)
    }
    topic.values.delete("f2")
    expect(() => topic.restore()).toThrow(/frame 2 is missing/)
  })
})

test("a message that cannot be read is named by its place, and not quoted", () => {
  const spoiled = Buffer.concat([encodeEnd(0).subarray(0, 8), Buffer.from("anna's search")])
  expect(() => decodeClassified(spoiled, "offset 7")).toThrow(/^offset 7: is not a message of .*cannot be read/)
  expect(() => decodeClassified(spoiled, "offset 7")).not.toThrow(/anna/)
  const topic = new CompactedTopic()
  topic.write([{ key: "h", value: Buffer.from("anna's search") }])
  expect(() => topic.restore()).toThrow(/a message is damaged/)
  expect(() => topic.restore()).not.toThrow(/anna/)
})
