import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { KafkaLink } from "#dist/stream/kafka/kafka-link.js"
import { parseKafkaPlace } from "#dist/stream/kafka/kafka-place.js"
import { changeGroup } from "#dist/stream/workers/change-group.js"
import { createTopic, deleteGroup, openReader, openSender } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { jsonOf, numberOf, range, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")
const secret = fresh("secret")
writeFileSync(secret, "7".repeat(64), { mode: 0o600 })

describe.skipIf(why !== undefined)(`positions of a group of workers${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  const children = new Set<ChildProcess>()
  /** What workers said that ended with an error. */
  const failed: string[] = []
  beforeAll(async () => {
    cluster = await startCluster(fresh("kafka"))
  })
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await cluster?.close()
  })

  const placeOf = (group: string) => `kafka://${cluster.addresses}/${group}`

  const linkOf = (group: string) =>
    KafkaLink.open(parseKafkaPlace(placeOf(group).slice("kafka:".length), "group"), { warn: () => {}, note: () => {} })

  const create = (group: string, input: string, more: readonly string[] = []) =>
    runCli([
      ...["stream", "topics", "create", placeOf(group), "--input", input, "--partitions", "2", "--secret", secret],
      ...["--taxonomy", topics, "-k", "2", "--depth", "2", "--scrub", "none", "--json", ...more],
    ])

  const start = (role: "classify" | "swap", group: string) => {
    const secrets = role === "swap" ? ["--secret", secret] : []
    const timeout = ["--session-timeout", "6000", "--json"]
    const run = startCli(["stream", role, placeOf(group), "--taxonomy", topics, ...timeout, ...secrets])
    children.add(run.child)
    run.ended.then(({ code, stderr }) => {
      if (code !== 0) failed.push(`${role} of ${group} ended with ${code}: ${stderr}`)
    })
    return run
  }

  const stop = async (runs: readonly ReturnType<typeof startCli>[]) => {
    for (const { child } of runs) child.kill("SIGTERM")
    const ended = await Promise.all(runs.map((run) => run.ended))
    for (const { code, stderr } of ended) expect({ code, stderr }).toMatchObject({ code: 0 })
  }

  const send = async (input: string, numbers: readonly number[], partition?: number) => {
    const sender = await openSender(cluster.addresses, input)
    await sender.send(numbers.map(jsonOf), partition === undefined ? {} : { partition })
    await sender.close()
  }

  /** The numbers of what a group has released, once there are this many. */
  const releasedBy = async (group: string, least: number): Promise<number[]> => {
    const partitions = 2
    const reader = await openReader(cluster.addresses, `${group}.released`, { isolation: "read_committed", partitions })
    const numbers: number[] = []
    while (numbers.length < least) {
      if (failed.length > 0) throw new Error(failed.join(" "))
      for (const { value } of await reader.rest()) numbers.push(numberOf(value))
      await wait(200)
    }
    await reader.close()
    return numbers
  }

  test("a group begins at the end of its input if it is asked to", async () => {
    await createTopic(cluster.addresses, "late", { partitions: 1 })
    await send("late", range(0, 300))
    expect(await create("from-end", "late", ["--start", "end"])).toMatchObject({ code: 0 })
    await send("late", range(300, 900))
    const runs = [start("classify", "from-end"), start("swap", "from-end")]
    const released = await releasedBy("from-end", 500)
    expect(Math.min(...released)).toBeGreaterThanOrEqual(300)
    await stop(runs)
  })

  test("a position that Kafka forgot is not taken for the beginning", async () => {
    await createTopic(cluster.addresses, "kept", { partitions: 1 })
    expect(await create("forgetful", "kept")).toMatchObject({ code: 0 })
    await send("kept", range(0, 600))
    const runs = [start("classify", "forgetful"), start("swap", "forgetful")]
    const before = await releasedBy("forgetful", 500)
    await stop(runs)
    await deleteGroup(cluster.addresses, "forgetful.classify")
    const again = start("classify", "forgetful")
    const { code, stderr } = await again.ended
    failed.length = 0
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/position is lost/) })
    expect(stderr).not.toMatch(/w\d+|u\d+/)
    expect(new Set(before).size).toBe(before.length)
  })

  test("a group of a name that was used on the same input is refused", async () => {
    const { code, stderr } = await create("from-end", "late")
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/has read late before/) })
  })

  test("of two changes at the same time one fails, and nothing is lost", async () => {
    await createTopic(cluster.addresses, "calm", { partitions: 1 })
    expect(await create("changed", "calm")).toMatchObject({ code: 0 })
    const link = await linkOf("changed")
    const slow = changeGroup(link, "changed", async (write) => {
      const quick = await runCli(["stream", "change", placeOf("changed"), "--taxonomy", topics, "-k", "7"])
      expect(quick.code).toBe(0)
      await write([{ topic: "changed.plan", partition: 0, key: "plan.1", value: Buffer.from("an older plan") }])
    })
    await expect(slow).rejects.toMatchObject({
      code: "kafka-state",
      message: expect.stringMatching(/at the same time/),
    })
    const next = await runCli([
      ...["stream", "topics", "replan", placeOf("changed"), "--taxonomy", topics, "--partitions", "3", "--json"],
    ])
    // No swapper has begun, so the plan is not replaced; but the newest one was read.
    expect(next.stderr).toMatch(/have not begun/)
  })

  test("a partition that the input gets after a new plan is read from its start, once", async () => {
    await createTopic(cluster.addresses, "growing", { partitions: 1 })
    expect(await create("grown", "growing")).toMatchObject({ code: 0 })
    await send("growing", range(0, 300))
    const runs = [start("classify", "grown"), start("swap", "grown")]
    await releasedBy("grown", 200)
    const replan = ["stream", "topics", "replan", placeOf("grown"), "--taxonomy", topics, "--json"]
    // Both partitions have begun once their positions are committed.
    for (let code: number | null = 1; code !== 0; ) code = (await runCli([...replan, "--depth", "1"])).code
    await (await linkOf("grown")).addPartitions("growing", 2)
    await send("growing", range(300, 900), 1)
    const released = await releasedBy("grown", 850)
    expect(new Set(released).size).toBe(released.length)
    expect(released.filter((number) => number >= 300).length).toBeGreaterThan(550)
    await stop(runs)
  })
})
