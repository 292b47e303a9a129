import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { KafkaLink } from "#dist/stream/kafka/kafka-link.js"
import { parseKafkaPlace } from "#dist/stream/kafka/kafka-place.js"
import { changeGroup } from "#dist/stream/workers/change-group.js"
import { createTopics } from "#dist/stream/workers/create-topics.js"
import { PlanWatch } from "#dist/stream/workers/plan-topic.js"
import { WorkerSecrets } from "#dist/stream/workers/secret-file.js"
import { StateSeal } from "#dist/stream/workers/state-seal.js"
import { committedOffset, createTopic, openReader, openSender, type ReadMessage } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { jsonOf, numberOf, range, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")
const key = "7".repeat(64)
const secret = fresh("secret")
writeFileSync(secret, key, { mode: 0o600 })

/** The numbers of the searches in a changelog. With `latest`, in the last value of each key alone. */
function searchesIn(messages: readonly ReadMessage[], { latest = false } = {}): number[] {
  const last = new Map(messages.map((message) => [`${message.partition} ${message.key}`, message]))
  return [...(latest ? last.values() : messages)].flatMap(({ key: name, value, topic, partition }) => {
    if (value === null) return []
    const place = `kafka topic ${topic}, partition ${partition}`
    const text = new StateSeal(new WorkerSecrets([Buffer.from(key, "hex")]), place).open(String(name), value)
    return Array.from(text.toString("latin1").matchAll(/ w(\d+)/g), ([, number]) => Number(number))
  })
}

describe.skipIf(why !== undefined)(`the state of a group of workers${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  const children = new Set<ChildProcess>()
  beforeAll(async () => {
    cluster = await startCluster(fresh("kafka"), { settings: { "log.cleaner.backoff.ms": 200 } })
  })
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await cluster?.close()
  })

  const placeOf = (group: string) => `kafka://${cluster.addresses}/${group}`
  const linkOf = (group: string) =>
    KafkaLink.open(parseKafkaPlace(placeOf(group).slice("kafka:".length), "group"), { warn: () => {}, note: () => {} })

  async function create(group: string, input: string, more: readonly string[]): Promise<void> {
    await createTopic(cluster.addresses, input)
    const { code, stderr } = await runCli([
      ...["stream", "topics", "create", placeOf(group), "--input", input, "--partitions", "1", "--secret", secret],
      ...["--taxonomy", topics, "--depth", "2", "--scrub", "none", "--checkpoint", "1", "--json", ...more],
    ])
    expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
  }

  const start = (role: "classify" | "swap", group: string) => {
    const secrets = role === "swap" ? ["--secret", secret] : []
    const timeout = ["--session-timeout", "6000", "--json"]
    const run = startCli(["stream", role, placeOf(group), "--taxonomy", topics, ...timeout, ...secrets])
    children.add(run.child)
    return run
  }

  const stop = async (runs: readonly ReturnType<typeof startCli>[]) => {
    for (const { child } of runs) child.kill("SIGTERM")
    const ended = await Promise.all(runs.map((run) => run.ended))
    for (const { code, stderr } of ended) expect({ code, stderr }).toMatchObject({ code: 0 })
    return ended.map(({ stdout }) => JSON.parse(stdout))
  }

  const send = async (input: string, numbers: readonly number[]) => {
    const sender = await openSender(cluster.addresses, input)
    await sender.send(numbers.map(jsonOf))
    await sender.close()
  }

  const readAll = async (topic: string, { partitions = 1, isolation = "read_committed" as const } = {}) => {
    const reader = await openReader(cluster.addresses, topic, { isolation, partitions })
    const messages = await reader.rest()
    await reader.close()
    return messages
  }

  test("forgets a released search within the time that the group was created with, while nothing arrives", async () => {
    const { addresses } = cluster
    await create("hourly", "searches", ["-k", "2"])
    // A minute instead of hours. Everything else, and all settings of topics, are as the command makes them.
    const plans = await PlanWatch.require(await linkOf("hourly"), "hourly")
    const keeping = { ...plans.current.keeping, forgetHours: 1 / 60 }
    const plan = { ...plans.current, keeping }
    await plans.close()
    const link = await linkOf("soon")
    await changeGroup(link, "soon", (control) => createTopics(link, "soon", { plan, write: control }))
    const runs = [start("classify", "soon"), start("swap", "soon")]
    await send("searches", range(0, 2)) // they wait for a third user
    const changelog = "soon.changelog.1"
    while (new Set(searchesIn(await readAll(changelog))).size < 2) await wait(200)
    await send("searches", range(2, 600))
    let released: number[] = []
    while ((await committedOffset(addresses, "soon.classify", { topic: "searches", partition: 0 })).offset !== 600)
      await wait(200)
    while (released.length < 590) released = (await readAll("soon.released")).map(({ value }) => numberOf(value))
    expect(released).toEqual(expect.arrayContaining([0, 1]))
    const began = performance.now()
    const gone = new Set(released)
    while (searchesIn(await readAll(changelog)).some((number) => gone.has(number))) await wait(500)
    expect((performance.now() - began) / 3_600_000).toBeLessThan(keeping.forgetHours)
    // What still waits is there.
    const waiting = range(0, 600).filter((number) => !gone.has(number))
    expect([...new Set(searchesIn(await readAll(changelog)))].sort((a, b) => a - b)).toEqual(waiting)
    await stop(runs)
  })

  test("survives kills in the middle of a handover, and in the middle of taking it over", async () => {
    const { addresses } = cluster
    const [group, input, sent] = ["moving", "many", 300_000]
    await create(group, input, ["-k", "1000000", "--backlog", "1000000"]) // nothing leaves
    const classifier = start("classify", group)
    let swapper = start("swap", group)
    for (let from = 0; from < sent; from += 50_000) await send(input, range(from, from + 50_000))
    while ((await committedOffset(addresses, `${group}.classify`, { topic: input, partition: 0 })).offset !== sent)
      await wait(200)
    const replan = ["stream", "topics", "replan", placeOf(group), "--taxonomy", topics, "--json"]
    const hits = { handover: 0, adoption: 0 }
    let plan = 1
    let partitions = 1
    /** A reader sees the first message of this kind before it is committed: the worker that writes it is killed. */
    const killAt = async (kind: RegExp, hit: keyof typeof hits) => {
      const changelog = `${group}.changelog.${plan}`
      const reader = await openReader(addresses, changelog, { isolation: "read_uncommitted", partitions })
      let seen: ReadMessage | undefined
      while (seen === undefined) seen = (await reader.some()).find((message) => kind.test(String(message.key)))
      swapper.child.kill("SIGKILL")
      await swapper.ended
      await reader.close()
      // Its transaction is still open: nothing of the kind is committed in that partition.
      const committed = await readAll(changelog, { partitions })
      const isDone = committed.some((each) => each.partition === seen.partition && kind.test(String(each.key)))
      if (!isDone) hits[hit]++
      swapper = start("swap", group)
    }
    while (hits.handover === 0 || hits.adoption === 0) {
      expect(plan).toBeLessThan(6) // a kill may come too late, but not again and again
      partitions = partitions === 1 ? 2 : 1
      // It is refused until all partitions of the plan before have begun.
      for (let code: number | null = 1; code !== 0; )
        code = (await runCli([...replan, "--partitions", `${partitions}`])).code
      plan++
      await killAt(/^m/, "handover")
      await killAt(/^f/, "adoption")
    }
    const begun = async () => {
      for (let partition = 0; partition < partitions; partition++) {
        const place = { topic: `${group}.classified.${plan}`, partition }
        const { offset } = await committedOffset(addresses, `${group}.swap`, place)
        if (offset === undefined) return false
      }
      return true
    }
    while (!(await begun())) await wait(200)
    const [answer] = await stop([swapper, classifier])
    const own = answer.partitions.filter(({ topic }: { topic: string }) => topic.endsWith(`.${plan}`))
    expect(own.reduce((sum: number, { waiting }: { waiting: number }) => sum + waiting, 0)).toBe(sent)
    const changelog = await readAll(`${group}.changelog.${plan}`, { partitions })
    const held = new Set(searchesIn(changelog, { latest: true }))
    expect(held.size).toBe(sent)
    expect(await readAll(`${group}.released`, { partitions: 2 })).toEqual([])
  })
})
