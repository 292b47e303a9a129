import type { ChildProcess } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { secretsOf } from "#dist/stream/store/store-secrets.js"
import { committedOffset, createTopic, openReader, openSender, type ReadMessage } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { hears } from "../support/live-cli.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { jsonOf, numberOf, range, startRun, summaryOf, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")
const secretFile = (text: string) => {
  const path = fresh("secret")
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

describe.skipIf(why !== undefined)(`a group of workers${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  let made = 0
  const children = new Set<ChildProcess>()
  beforeAll(async () => {
    cluster = await startCluster(fresh("kafka"))
  })
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await cluster?.close()
  })

  /** A topic of searches, and a group of workers that reads it. */
  async function makeGroup(options: { inputs?: number; partitions?: number; secret?: string; more?: string[] } = {}) {
    const { inputs = 2, partitions = 3, more = [] } = options
    const [input, group] = [`searches-w${++made}`, `group-${made}`]
    const { addresses } = cluster
    await createTopic(addresses, input, { partitions: inputs })
    const place = `kafka://${addresses}/${group}`
    const secret = options.secret ?? secretFile("7".repeat(64))
    const created = await runCli([
      ...["stream", "topics", "create", place, "--input", input, "--partitions", String(partitions)],
      ...["--secret", secret, "--taxonomy", topics, "-k", "2", "--depth", "2", "--scrub", "none", "--json", ...more],
    ])
    expect(created.code).toBe(0)
    const sender = await openSender(addresses, input)
    const start = (role: "classify" | "swap") => {
      const secrets = role === "swap" ? ["--secret", secret] : []
      const run = startCli([
        "stream",
        role,
        place,
        "--taxonomy",
        topics,
        "--session-timeout",
        "6000",
        "--json",
        ...secrets,
      ])
      children.add(run.child)
      return run
    }
    return { group, input, sender, start, place, secret, inputs, partitions, created: JSON.parse(created.stdout) }
  }

  const readAll = async (topic: string, partitions: number): Promise<ReadMessage[]> => {
    const reader = await openReader(cluster.addresses, topic, { isolation: "read_committed", partitions })
    const messages = await reader.rest()
    await reader.close()
    return messages
  }

  const offsetsOf = async (group: string, topic: string, partitions: number) => {
    const found: number[] = []
    for (let partition = 0; partition < partitions; partition++)
      found.push((await committedOffset(cluster.addresses, group, { topic, partition })).offset ?? 0)
    return found
  }

  /** The ends of a topic's partitions, with the messages that only mark the end of a transaction. */
  const endsOf = async (topic: string, partitions: number) => {
    const ends = new Array<number>(partitions).fill(0)
    for (const { partition, offset } of await readAll(topic, partitions))
      ends[partition] = Math.max(ends[partition] ?? 0, offset + 1)
    return ends
  }

  /** Waits until everything in the input has gone through both hops. */
  async function settle({ group, input, inputs, partitions }: Awaited<ReturnType<typeof makeGroup>>, plan = 1) {
    const classified = `${group}.classified.${plan}`
    for (;;) {
      const read = await offsetsOf(`${group}.classify`, input, inputs)
      const ends = await endsOf(input, inputs)
      if (ends.every((end, i) => (read[i] ?? 0) >= end)) {
        const swapped = await offsetsOf(`${group}.swap`, classified, partitions)
        const due = await endsOf(classified, partitions)
        if (due.every((end, i) => (swapped[i] ?? 0) >= end)) return
      }
      await wait(200)
    }
  }

  async function stop(runs: readonly ReturnType<typeof startCli>[]) {
    for (const { child } of runs) child.kill("SIGTERM")
    const ended = await Promise.all(runs.map((run) => run.ended))
    for (const { code, stderr } of ended) expect({ code, stderr }).toMatchObject({ code: 0 })
    return ended.map(({ stdout, stderr }) => ({ answer: JSON.parse(stdout), stderr }))
  }

  test("releases every search once, and says what it did", async () => {
    const group = await makeGroup()
    const runs = [group.start("classify"), group.start("classify"), group.start("swap"), group.start("swap")]
    await group.sender.send([...range(0, 3000).map(jsonOf), "no record"])
    await settle(group)
    const [one, other, ...swappers] = await stop(runs)
    const released = await readAll(`${group.group}.released`, group.partitions)
    const numbers = released.map(({ value }) => numberOf(value))
    expect(new Set(numbers).size).toBe(numbers.length)
    // A classifier counts what it did, also in a transaction that another one did again.
    expect(one?.answer.classified + other?.answer.classified).toBeGreaterThanOrEqual(3000)
    expect((one?.answer.rejected.syntax ?? 0) + (other?.answer.rejected.syntax ?? 0)).toBeGreaterThanOrEqual(1)
    // A swapper that had a partition before the other one says what it knew of it then.
    const last = new Map<number, { released: number; waiting: number }>()
    const taken = (each = { released: 0, waiting: 0 }) => each.released + each.waiting
    for (const { answer } of swappers)
      for (const each of answer.partitions)
        if (taken(each) >= taken(last.get(each.partition))) last.set(each.partition, each)
    const waiting = [...last.values()].reduce((sum, each) => sum + each.waiting, 0)
    expect(numbers.length + waiting).toBe(3000)
    expect(numbers.length).toBeGreaterThan(2900)
    for (const { stderr } of swappers) expect(stderr).not.toMatch(/w\d+|u\d+/)
    expect(new Set(released.map(({ timestamp }) => timestamp % 3_600_000))).toEqual(new Set([0]))
  })

  test("makes the cells that a single stream makes of the same searches with the same key", async () => {
    const { addresses } = cluster
    const [from, to] = [`one-${++made}`, `one-released-${made}`]
    await createTopic(addresses, from)
    await createTopic(addresses, to)
    const alone = await openSender(addresses, from)
    const searches = [...range(0, 2000), ...range(0, 500)].map(jsonOf) // users repeat some
    await alone.send(searches)
    const store = fresh("store")
    const places = {
      store,
      topics,
      input: `kafka://${addresses}/${from}?stop=end`,
      output: `kafka://${addresses}/${to}`,
    }
    await summaryOf(startRun({ ...places, more: ["--users", "keep", "--category"] }).ended)
    const { key } = secretsOf(JSON.parse(readFileSync(join(store, "store.json"), "utf8"))).dealing
    const more = ["--users", "keep", "--category"]
    const group = await makeGroup({ inputs: 1, secret: secretFile(Buffer.from(key).toString("hex")), more })
    const runs = [group.start("classify"), group.start("swap"), group.start("swap")]
    await group.sender.send(searches)
    await settle(group)
    await stop(runs)
    const shown = (messages: readonly ReadMessage[]) =>
      messages.map(({ value }) => JSON.stringify({ ...JSON.parse(String(value)), seq: 0 })).sort()
    const expected = shown(await readAll(to, 1))
    expect(expected.length).toBeGreaterThan(1900)
    expect(shown(await readAll(`${group.group}.released`, group.partitions))).toEqual(expected)
  })

  test("loses nothing and releases nothing twice when workers are killed, and k changes meanwhile", async () => {
    const group = await makeGroup({ more: ["--checkpoint", "1"] })
    const uncommitted = await openReader(cluster.addresses, `${group.group}.released`, {
      isolation: "read_uncommitted",
      partitions: group.partitions,
    })
    const runs = { classify: [group.start("classify")], swap: [group.start("swap"), group.start("swap")] }
    await Promise.all(runs.swap.map(({ child }) => hears(child, (told) => told.includes("swapping in"))))
    let sent = 0
    for (let kill = 0; kill < 8; kill++) {
      await group.sender.send(range(sent, sent + 500).map(jsonOf))
      sent += 500
      await wait(100 + kill * 40)
      const role = kill % 3 === 2 ? "classify" : "swap"
      const victim = runs[role].shift()
      victim?.child.kill("SIGKILL")
      runs[role].push(group.start(role))
      if (kill === 4) {
        const changed = await runCli(["stream", "change", group.place, "--taxonomy", topics, "-k", "3"])
        expect(changed.code).toBe(0)
      }
    }
    await settle(group)
    const ended = await stop([...runs.classify, ...runs.swap])
    const released = await readAll(`${group.group}.released`, group.partitions)
    const numbers = released.map(({ value }) => numberOf(value))
    expect(new Set(numbers).size).toBe(numbers.length)
    const last = new Map<number, { released: number; waiting: number }>()
    for (const { answer } of ended) for (const each of answer.partitions ?? []) last.set(each.partition, each)
    expect(last.size).toBe(3)
    const waiting = [...last.values()].reduce((sum, each) => sum + each.waiting, 0)
    expect(numbers.length + waiting).toBe(sent)
    // What an aborted transaction showed is what was released: a cell is dealt in one way.
    const shown = new Map(released.map(({ value }) => [numberOf(value), String(value)]))
    for (const { value } of await uncommitted.rest())
      expect(shown.get(numberOf(value)) ?? String(value)).toBe(String(value))
    await uncommitted.close()
  })

  test("hands over to a plan with other partitions and another depth while workers are killed", async () => {
    const group = await makeGroup({ more: ["--checkpoint", "1"] })
    const runs = { classify: [group.start("classify")], swap: [group.start("swap"), group.start("swap")] }
    await group.sender.send(range(0, 1500).map(jsonOf))
    await Promise.all(runs.swap.map(({ child }) => hears(child, (told) => told.includes("swapping in"))))
    await settle(group)
    const replan = ["stream", "topics", "replan", group.place, "--taxonomy", topics, "--json"]
    const planned = await runCli([...replan, "--partitions", "4", "--depth", "1"])
    expect(planned.code).toBe(0)
    expect(JSON.parse(planned.stdout)).toMatchObject({ plan: 2, partitions: 4, categories: 3 })
    let sent = 1500
    for (let kill = 0; kill < 6; kill++) {
      await group.sender.send(range(sent, sent + 250).map(jsonOf))
      sent += 250
      await wait(150 + kill * 120)
      const role = kill % 3 === 1 ? "classify" : "swap"
      runs[role].shift()?.child.kill("SIGKILL")
      runs[role].push(group.start(role))
    }
    await settle({ ...group, partitions: 4 }, 2)
    const ended = await stop([...runs.classify, ...runs.swap])
    const released = await readAll(`${group.group}.released`, 4)
    const numbers = released.map(({ value }) => numberOf(value))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(new Set(released.map(({ partition, value }) => `${partition} ${JSON.parse(String(value)).seq}`)).size).toBe(
      numbers.length,
    )
    const last = new Map<string, { waiting: number }>()
    for (const { answer } of ended)
      for (const each of answer.partitions ?? []) if (each.topic.endsWith(".2")) last.set(`${each.partition}`, each)
    expect(last.size).toBe(4)
    const waiting = [...last.values()].reduce((sum, each) => sum + each.waiting, 0)
    expect(numbers.length + waiting).toBe(sent)
  })

  test("refuses another secret, another taxonomy, and a second plan", async () => {
    const group = await makeGroup()
    const errorOf = async (args: string[]) => {
      const { code, stderr } = await runCli(["stream", ...args, "--json"])
      expect(code).not.toBe(0)
      return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.message
    }
    const swap = ["swap", group.place, "--secret"]
    expect(await errorOf([...swap, secretFile("8".repeat(64)), "--taxonomy", topics])).toMatch(/another secret/)
    const other = write("pets\t1\t\ncars\t1\tcar\n", "other.tsv")
    expect(await errorOf([...swap, group.secret, "--taxonomy", other])).toMatch(/another taxonomy/)
    const again = ["topics", "create", group.place, "--input", group.input, "--secret", group.secret]
    expect(await errorOf([...again, "--taxonomy", topics])).toMatch(/has a plan already/)
    const missing = ["swap", `${group.place}-none`, "--secret", group.secret, "--taxonomy", topics]
    expect(await errorOf(missing)).toMatch(/has no plan/)
  })
})
