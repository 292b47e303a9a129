import { describe, expect, test } from "vitest"
import { PartitionClient } from "#dist/stream/workers/partition-client.js"
import { FakeKafka } from "../support/fake-kafka.ts"

const input = { topic: "classified", partition: 0 }

describe("a transaction of a worker", () => {
  test("is delivered before it is committed if it is large, however long that takes", async () => {
    const kafka = new FakeKafka()
    const client = await PartitionClient.open(kafka.link, input, "group.swap")
    kafka.slowFlushes = 3
    const messages = Array.from({ length: 9 }, (_, i) => {
      return { topic: "changelog", partition: 0, key: `m${i}`, value: Buffer.alloc(1 << 20) }
    })
    await client.transact(messages, { offset: 5 })
    expect(kafka.messages("changelog")).toHaveLength(9)
    expect(await client.committed()).toMatchObject({ offset: 5 })
    await client.close()
  })
})
