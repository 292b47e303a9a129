import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  committedOffset,
  createTopic,
  deleteBefore,
  deleteGroup,
  openReader,
  openSender,
  type ReadMessage,
  sendInTransaction,
  takeOverId,
  withAdmin,
} from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { errorOf, jsonOf, numberOf, range, startRun, summaryOf, timeOf, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")

/** True if the topic could be created: a topic that is being deleted is still there for a moment. */
const madeAgain = (addresses: string, topic: string) =>
  createTopic(addresses, topic).then(
    () => true,
    () => false,
  )

describe.skipIf(why !== undefined)(`a stream between topics${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  let made = 0
  beforeAll(async () => {
    cluster = await startCluster(fresh("kafka"))
  })
  afterAll(async () => cluster?.close())

  /** Two new topics, the places of a run between them, and what is needed to fill and read them. */
  async function makeTopics(options: { partitions?: number; settings?: Record<string, string> } = {}) {
    const [from, to] = [`searches-${++made}`, `released-${made}`]
    const { addresses } = cluster
    await createTopic(addresses, from, options)
    await createTopic(addresses, to, { partitions: 2 })
    const sender = await openSender(addresses, from)
    const places = {
      store: fresh("store"),
      topics,
      input: `kafka://${addresses}/${from}?stop=end`,
      output: `kafka://${addresses}/${to}`,
    }
    return { from, to, sender, places, addresses }
  }

  async function readAll(topic: string, partitions = 2): Promise<ReadMessage[]> {
    const reader = await openReader(cluster.addresses, topic, { isolation: "read_committed", partitions })
    const messages = await reader.rest()
    await reader.close()
    return messages
  }

  test("every search is released once, without a key, and its timestamp shows no more than the hour", async () => {
    const { from, to, sender, places, addresses } = await makeTopics({ partitions: 3 })
    await sender.send(range(0, 3000).map(jsonOf))
    const { lines, taken, released, waiting, stderr } = await summaryOf(startRun(places).ended)
    expect({ lines, taken }).toEqual({ lines: 3000, taken: 3000 })
    expect(released + waiting).toBe(3000)
    const messages = await readAll(to)
    expect(messages.length).toBe(released)
    expect(new Set(messages.map(({ value }) => numberOf(value))).size).toBe(released)
    const numbers = messages.map(({ value }) => JSON.parse(String(value)).seq)
    expect(numbers.sort((a, b) => a - b)).toEqual(range(0, released))
    expect(new Set(messages.map(({ timestamp }) => timestamp % 3_600_000))).toEqual(new Set([0]))
    expect(messages[0]).toMatchObject({ key: null })
    expect(messages[0]?.headers).toBeUndefined()
    // The note of the transaction: how many releases there are, of which store, and how far the input was read.
    const mark = await committedOffset(addresses, `queryveil.${to}.output`, { topic: to, partition: 0 })
    expect(mark.offset).toBe(released)
    expect(mark.metadata).toMatch(/^queryveil store [0-9a-f]{16} \{"kafka:searches-\d+"/)
    expect(stderr).not.toMatch(/w\d+|u\d+/)

    await sender.send(range(3000, 4000).map(jsonOf))
    const next = await summaryOf(startRun(places).ended)
    expect(next.lines).toBe(4000)
    expect((await readAll(to)).length).toBe(next.released)
    const position = await committedOffset(addresses, `queryveil.${from}.input`, { topic: from, partition: 0 })
    expect(position.metadata).toMatch(/^queryveil store [0-9a-f]{16}$/)
    await sender.close()
  })

  test("partitions of a backlog are read in the order of their timestamps", async () => {
    const { sender, places } = await makeTopics({ partitions: 3 })
    for (const number of range(0, 900))
      await sender.send([jsonOf(number)], { partition: number % 3, timestamp: Date.parse(`${timeOf(number)}Z`) })
    const { stdout } = await startRun({ ...places, more: ["--time", "exact"] }).ended
    expect(JSON.parse(stdout)).toMatchObject({ lines: 900, late: { records: 0 } })
    await sender.close()
  })

  test("searches of a transaction that was given up are never taken", async () => {
    const { from, places, addresses, sender } = await makeTopics()
    await sendInTransaction(addresses, from, { values: range(0, 50).map(jsonOf), end: "abort" })
    await sendInTransaction(addresses, from, { values: range(50, 100).map(jsonOf), end: "commit" })
    expect((await summaryOf(startRun(places).ended)).lines).toBe(50)
    await sender.close()
  })

  test("messages that are not records are counted, and go to a dead-letter topic on request", async () => {
    const { from, places, addresses, sender } = await makeTopics()
    const letters = `${from}.unread`
    await createTopic(addresses, letters)
    await sender.send([jsonOf(0), "hello", null, '{"user":"u1","query":"dog w1","time":"never"}', jsonOf(2), ""])
    await sender.send([JSON.stringify(JSON.parse(jsonOf(3)), null, 2)]) // JSON with line breaks is a record
    const { taken, rejected } = await summaryOf(
      startRun({ ...places, input: `${places.input}&dead-letter=${letters}` }).ended,
    )
    expect(taken).toBe(3)
    expect(Object.values(rejected).reduce((sum, count) => sum + count, 0)).toBe(4)
    const found = await readAll(letters, 1)
    expect(found.map(({ value }) => (value === null ? null : String(value)))).toEqual([
      "hello",
      null,
      '{"user":"u1","query":"dog w1","time":"never"}',
      null, // an empty value reads as none
    ])
    expect(found.map(({ headers }) => String(headers?.[0]?.reason))).toEqual(["syntax", "syntax", "time", "syntax"])
    expect(found.map(({ headers }) => String(headers?.[3]?.offset))).toEqual(["1", "2", "3", "5"])
    await sender.close()
  })

  test("rows and documents of UBI are read too", async () => {
    const rows = await makeTopics()
    await rows.sender.send(range(0, 30).map((i) => `u${i}\tdog w${i}\t${timeOf(i)}`))
    const more = ["--format", "delimited", "--columns", "user=1,query=2,time=3"]
    expect((await summaryOf(startRun({ ...rows.places, more }).ended)).taken).toBe(30)
    const ubi = await makeTopics()
    await ubi.sender.send(
      range(0, 30).map((i) =>
        JSON.stringify({
          application: "shop",
          query_id: `q${i}`,
          client_id: `u${i}`,
          user_query: `cat w${i}`,
          timestamp: `${timeOf(i).replace(" ", "T")}Z`,
        }),
      ),
    )
    expect((await summaryOf(startRun({ ...ubi.places, more: ["--format", "ubi"] }).ended)).taken).toBe(30)
    await rows.sender.close()
    await ubi.sender.close()
  })

  test("a second stream on a topic is refused, whether it reads or writes", async () => {
    const { places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 100).map(jsonOf))
    await summaryOf(startRun(places).ended)
    const other = { ...places, store: fresh("other") }
    expect(await errorOf(startRun(other).ended)).toMatchObject({ code: "kafka-claimed" })
    await createTopic(addresses, "elsewhere")
    const reads = await errorOf(startRun({ ...other, output: `kafka://${addresses}/elsewhere` }).ended)
    expect(reads).toMatchObject({ code: "kafka-claimed" })
    expect(reads.message).toMatch(/another stream reads it \(store [0-9a-f]{16}\)/)
    await sender.close()
  })

  test("a stream that another one replaces stops, and writes nothing more", async () => {
    const { from, to, places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 300).map(jsonOf))
    const first = startRun({ ...places, input: `kafka://${addresses}/${from}` })
    await first.reading
    // The claim is gone, as if an operator had deleted it by mistake while the stream runs.
    await deleteGroup(addresses, `queryveil.${to}.output`)
    await createTopic(addresses, `${from}-2`)
    const second = startRun({
      ...places,
      store: fresh("second"),
      input: `kafka://${addresses}/${from}-2?stop=end`,
      more: ["--force"],
    })
    await summaryOf(second.ended)
    const before = (await readAll(to)).length
    await sender.send(range(300, 600).map(jsonOf))
    expect(await errorOf(first.ended)).toMatchObject({ code: "kafka-claimed" })
    expect((await readAll(to)).length).toBe(before)
    await sender.close()
  })

  test("a topic with other messages is refused, or added to with --force", async () => {
    const { to, places, sender, addresses } = await makeTopics()
    const other = await openSender(addresses, to)
    await other.send(["something else"])
    await sender.send(range(0, 100).map(jsonOf))
    expect(await errorOf(startRun(places).ended)).toMatchObject({ code: "output-exists" })
    const { released } = await summaryOf(startRun({ ...places, store: fresh(), more: ["--force"] }).ended)
    expect((await readAll(to)).length).toBe(released + 1)
    await other.close()
    await sender.close()
  })

  test("a stream whose note has expired continues after the last release in the topic", async () => {
    const { from, to, places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 500).map(jsonOf))
    const run = startRun({ ...places, input: `kafka://${addresses}/${from}`, more: ["--checkpoint", "86400"] })
    await expect.poll(async () => (await readAll(to)).length).toBeGreaterThan(300)
    run.child.kill("SIGKILL")
    await run.ended
    const before = (await readAll(to)).length
    await deleteGroup(addresses, `queryveil.${to}.output`)
    await sender.send(range(500, 1000).map(jsonOf))
    const { released } = await summaryOf(startRun({ ...places, more: ["--checkpoint", "86400"] }).ended)
    const numbers = (await readAll(to)).map(({ value }) => JSON.parse(String(value)).seq)
    expect(released).toBeGreaterThan(before)
    expect(numbers.sort((a, b) => a - b)).toEqual(range(0, released))
    await sender.close()
  })

  test("a store that was put back to an earlier state is refused", async () => {
    const { to, places, sender } = await makeTopics()
    await sender.send(range(0, 300).map(jsonOf))
    await summaryOf(startRun(places).ended)
    const copy = fresh("backup")
    spawnSync("cp", ["-a", `${places.store}/.`, copy])
    await sender.send(range(300, 600).map(jsonOf))
    await summaryOf(startRun(places).ended)
    const before = (await readAll(to)).length
    expect(await errorOf(startRun({ ...places, store: copy }).ended)).toMatchObject({ code: "output-ahead" })
    expect((await readAll(to)).length).toBe(before)
    await sender.close()
  })

  test("a store that was put back is refused even if the cluster has forgotten the stream", async () => {
    const { to, places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 300).map(jsonOf))
    await summaryOf(startRun(places).ended)
    const copy = fresh("backup")
    spawnSync("cp", ["-a", `${places.store}/.`, copy])
    await sender.send(range(300, 600).map(jsonOf))
    await summaryOf(startRun(places).ended)
    await deleteGroup(addresses, `queryveil.${to}.output`)
    const before = (await readAll(to)).length
    expect(await errorOf(startRun({ ...places, store: copy }).ended)).toMatchObject({ code: "output-ahead" })
    expect((await readAll(to)).length).toBe(before)
    await sender.close()
  })

  test("a stream whose producer the brokers refuse goes on with another", async () => {
    const { from, to, places, sender, addresses } = await makeTopics()
    const run = startRun({ ...places, input: `kafka://${addresses}/${from}` })
    await run.reading
    await sender.send(range(0, 300).map(jsonOf))
    await expect.poll(async () => (await readAll(to)).length).toBeGreaterThan(200)
    // As after a transaction that took too long: its id belongs to a newer producer.
    await takeOverId(addresses, `queryveil.${to}`)
    await sender.send(range(300, 600).map(jsonOf))
    await expect.poll(async () => (await readAll(to)).length).toBeGreaterThan(500)
    run.child.kill("SIGTERM")
    const { released, stderr } = await summaryOf(run.ended)
    const numbers = (await readAll(to)).map(({ value }) => JSON.parse(String(value)).seq)
    expect(numbers.sort((a, b) => a - b)).toEqual(range(0, released))
    expect(stderr).toMatch(/A new one goes on/)
    await sender.close()
  })

  test("a topic that is deleted and created again while it is read ends the stream", async () => {
    const { from, places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 300).map(jsonOf))
    const run = startRun({ ...places, input: `kafka://${addresses}/${from}` })
    await run.reading
    await withAdmin(addresses, (admin) => new Promise((resolve) => admin.deleteTopic(from, 30_000, resolve)))
    await expect.poll(() => madeAgain(addresses, from)).toBe(true)
    expect(await errorOf(run.ended)).toMatchObject({ code: "input-changed" })
    await sender.close()
  })

  test("a stream that begins at the end misses nothing if it stops before its first message", async () => {
    const { from, to, places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 100).map(jsonOf))
    const atEnd = { ...places, input: `kafka://${addresses}/${from}?start=end` }
    const first = startRun(atEnd)
    await first.reading
    first.child.kill("SIGKILL")
    await first.ended
    await sender.send(range(100, 200).map(jsonOf))
    const { lines } = await summaryOf(startRun({ ...atEnd, input: `${atEnd.input}&stop=end` }).ended)
    expect(lines).toBe(100)
    expect((await readAll(to)).every(({ value }) => numberOf(value) >= 100)).toBe(true)
    await sender.close()
  })

  test("a dead letter that is too large is counted, and one that cannot be sent stops the input", async () => {
    const { from, places, sender, addresses } = await makeTopics()
    const letters = `${from}.unread`
    const input = `${places.input}&dead-letter=${letters}`
    expect(await errorOf(startRun({ ...places, input }).ended)).toMatchObject({ code: "kafka-topic" })
    await createTopic(addresses, letters, { settings: { "max.message.bytes": "2000" } })
    await sender.send([jsonOf(0), "x".repeat(5000), "short", jsonOf(1)])
    const { taken, rejected, stderr } = await summaryOf(startRun({ ...places, input }).ended)
    expect([taken, rejected]).toEqual([2, { syntax: 2 }])
    expect(stderr).toMatch(/too large for it/)
    expect((await readAll(letters, 1)).map(({ value }) => String(value))).toEqual(["short"])
    await sender.close()
  })

  test("messages that were deleted before they were read are reported", async () => {
    const { from, places, sender, addresses } = await makeTopics()
    await sender.send(range(0, 100).map(jsonOf))
    await summaryOf(startRun(places).ended)
    await sender.send(range(100, 300).map(jsonOf))
    await deleteBefore(addresses, { topic: from, partition: 0, offset: 150 })
    const { lines, stderr } = await summaryOf(startRun(places).ended)
    expect(lines).toBe(250)
    expect(stderr).toMatch(/deleted before they were read: 50/)
    await sender.close()
  })

  test("a topic that was deleted and created again is refused", async () => {
    const { places, sender, addresses, from } = await makeTopics()
    await sender.send(range(0, 100).map(jsonOf))
    await summaryOf(startRun(places).ended)
    await withAdmin(addresses, (admin) => new Promise((resolve) => admin.deleteTopic(from, 30_000, resolve)))
    await expect.poll(() => madeAgain(addresses, from)).toBe(true)
    await deleteGroup(addresses, `queryveil.${from}.input`).catch(() => {})
    expect(await errorOf(startRun(places).ended)).toMatchObject({ code: "input-changed" })
    await sender.close()
  })

  test("weak settings of a topic are refused with what to do, or reported with checks=warn", async () => {
    const { sender, places, addresses, from } = await makeTopics({ settings: { "cleanup.policy": "compact" } })
    const error = await errorOf(startRun(places).ended)
    expect(error).toMatchObject({ code: "kafka-topic" })
    expect(error.message).toMatch(/compacted.*cleanup\.policy=delete/)
    const short = await makeTopics({ settings: { "retention.ms": "3600000" } })
    expect((await errorOf(startRun(short.places).ended)).message).toMatch(/keeps messages for an hour/)
    await createTopic(addresses, `${from}.stamped`, { settings: { "message.timestamp.type": "LogAppendTime" } })
    const stamped = { ...short.places, output: `kafka://${addresses}/${from}.stamped` }
    expect((await errorOf(startRun(stamped).ended)).message).toMatch(/--time hour shows/)
    await short.sender.send(range(0, 30).map(jsonOf))
    const accepted = { ...short.places, input: `${short.places.input}&checks=warn` }
    expect((await summaryOf(startRun(accepted).ended)).stderr).toMatch(/keeps messages for an hour/)
    expect(await errorOf(startRun({ ...places, input: `kafka://${addresses}/nothing` }).ended)).toMatchObject({
      code: "kafka-topic",
    })
    await sender.close()
    await short.sender.close()
  })

  test("30 kills lose nothing, release nothing twice, and no reader sees a cell dealt in two ways", () => {
    const soak = fileURLToPath(new URL("../../build/soak/run.js", import.meta.url))
    const cycles = process.env.KAFKA_KILLS ?? "30"
    const { status, stdout } = spawnSync(process.execPath, [soak, "--only", "kafka-strict", "--cycles", cycles])
    expect(String(stdout)).toMatch(/kafka +strict +\d+ +\d+ +\d+ +\d+ +\d+ +0\n/)
    expect(status).toBe(0)
  })
})
