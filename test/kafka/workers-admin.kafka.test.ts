import type { ChildProcess } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { GroupFigures } from "#dist/stream/workers/group-figures.js"
import type { WorkerFigures } from "#dist/stream/workers/worker-figures.js"
import { createTopic, openSender } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { hears } from "../support/live-cli.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { jsonOf, range, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")

describe.skipIf(why !== undefined)(`the figures of workers${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  const children = new Set<ChildProcess>()
  beforeAll(async () => {
    cluster = await startCluster(fresh("kafka"))
  })
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await cluster?.close()
  })

  test("say what each worker holds and did, need the token, and hold no search and no user", async () => {
    const { addresses } = cluster
    await createTopic(addresses, "searches", { partitions: 2 })
    const place = `kafka://${addresses}/group`
    const [secret, tokenFile] = [fresh("secret"), fresh("token")]
    writeFileSync(secret, "7".repeat(64), { mode: 0o600 })
    const created = await runCli([
      ...["stream", "topics", "create", place, "--input", "searches", "--partitions", "3", "--secret", secret],
      ...["--taxonomy", topics, "-k", "2", "--depth", "2", "--scrub", "none", "--json"],
    ])
    expect(created.code).toBe(0)
    const start = async (role: "classify" | "swap") => {
      const run = startCli([
        ...["stream", role, place, "--taxonomy", topics, "--session-timeout", "6000", "--json"],
        ...["--admin", "127.0.0.1:0", "--admin-token-file", tokenFile],
        ...(role === "swap" ? ["--secret", secret] : []),
      ])
      children.add(run.child)
      const url = await hears(run.child, (told) => /^figures: (\S+)\/figures$/m.exec(told)?.[1])
      return { ...run, url }
    }
    // Both start at once, and one of them makes the token.
    const [classifier, swapper] = await Promise.all([start("classify"), start("swap")])
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600)
    const authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`
    const read = async (url: string, path: string) => {
      const answer = await fetch(url + path, { headers: { authorization } })
      const text = await answer.text()
      expect(answer.status).toBe(200)
      expect(text).not.toMatch(/w\d+|u\d+/)
      return text
    }
    const figuresOf = async (url: string): Promise<WorkerFigures> => JSON.parse(await read(url, "/figures"))

    for (const { url } of [classifier, swapper])
      for (const path of ["/figures", "/metrics"]) {
        expect((await fetch(url + path)).status).toBe(401)
        expect((await fetch(url + path, { headers: { authorization: "Bearer another" } })).status).toBe(401)
      }

    const sender = await openSender(addresses, "searches")
    await sender.send([...range(0, 500).map(jsonOf), "no record"])
    const isDone = ({ partitions, partitionsOfGroup }: WorkerFigures) =>
      partitions.length === partitionsOfGroup && partitions.every(({ lag }) => lag === 0)
    const taken = ({ partitions }: WorkerFigures) =>
      partitions.reduce((sum, { swap }) => sum + (swap === undefined ? 0 : swap.released + swap.waiting), 0)
    let [classified, swapped] = [await figuresOf(classifier.url), await figuresOf(swapper.url)]
    while (!(isDone(classified) && isDone(swapped) && taken(swapped) === 500)) {
      await wait(200)
      ;[classified, swapped] = [await figuresOf(classifier.url), await figuresOf(swapper.url)]
    }
    expect(classified).toMatchObject({
      role: "classify",
      group: "group",
      partitionsOfGroup: 2,
      restarts: 0,
      largest: [],
    })
    expect(classified.classifier).toMatchObject({ messages: 501, classified: 500, rejected: { syntax: 1 } })
    expect(swapped).toMatchObject({ role: "swap", group: "group", partitionsOfGroup: 3, restarts: 0 })
    expect(swapped.partitions.map(({ partition }) => partition)).toEqual([0, 1, 2])
    const swaps = swapped.partitions.flatMap(({ swap }) => swap ?? [])
    expect(swaps.reduce((sum, { released }) => sum + released, 0)).toBeGreaterThan(400)
    expect(swaps.reduce((sum, { cells }) => sum + cells, 0)).toBeGreaterThan(0)
    expect(
      swapped.partitions.some(({ transactions, transactionSeconds: { p99 } }) => transactions > 0 && p99 > 0),
    ).toBe(true)
    const waiting = swaps.reduce((sum, each) => sum + each.waiting, 0)
    expect(swapped.largest.reduce((sum, each) => sum + each.waiting, 0)).toBe(waiting)

    const metrics = await read(swapper.url, "/metrics")
    expect(metrics).toMatch(/^queryveil_worker_partitions 3$/m)
    expect(metrics.match(/^queryveil_worker_lag_messages\{partition="\d",plan="1"\} 0$/gm)).toHaveLength(3)
    expect(metrics).toMatch(/^queryveil_worker_released_total\{partition="\d",plan="1"\} [1-9]\d*$/m)
    expect(await read(classifier.url, "/metrics")).toMatch(/^queryveil_worker_classified_total 500$/m)

    // All of them together: once as an answer, and on the live page.
    const watched = await runCli(["stream", "watch", place, "--json"])
    expect(watched.stderr).toBe("")
    const together: GroupFigures = JSON.parse(watched.stdout)
    expect(together).toMatchObject({ group: "group", k: [2], promised: true, lag: { classify: 0, swap: 0 }, waiting })
    expect(together.workers.map(({ role, isSilent }) => [role, isSilent]).sort()).toEqual([
      ["classify", false],
      ["swap", false],
    ])
    expect(together.partitions.map(({ role, isWorking }) => [role, isWorking])).toEqual([
      ...[0, 1].map(() => ["classify", true]),
      ...[0, 1, 2].map(() => ["swap", true]),
    ])
    const watch = startCli([
      ...["stream", "watch", place, "--json", "--admin", "127.0.0.1:0", "--admin-token-file", tokenFile],
    ])
    children.add(watch.child)
    const page = await hears(watch.child, (told) => /^live page: (\S+)\/$/m.exec(told)?.[1])
    expect((await fetch(`${page}/figures`)).status).toBe(401)
    expect(await (await fetch(`${page}/`)).text()).toContain("queryveil workers")
    const groupOf = async (): Promise<GroupFigures> => JSON.parse(await read(page, "/figures"))
    while ((await groupOf()).workers.length < 2) await wait(200)

    // The next swapper reports what it restored.
    swapper.child.kill("SIGTERM")
    expect(await swapper.ended).toMatchObject({ code: 0 })
    let alone = await groupOf()
    while (alone.workers.length > 1) {
      await wait(200)
      alone = await groupOf()
    }
    expect(alone.partitions.map(({ worker }) => worker === null)).toEqual([false, false, true, true, true])
    const next = await start("swap")
    let restored = await figuresOf(next.url)
    while (!isDone(restored) || taken(restored) !== 500) {
      await wait(200)
      restored = await figuresOf(next.url)
    }
    const back = restored.partitions.flatMap(({ swap }) => swap?.restored ?? [])
    expect(back.reduce((sum, each) => sum + each.waiting, 0)).toBe(waiting)
    expect(back.reduce((sum, { pairs }) => sum + pairs, 0)).toBeGreaterThan(400)
    for (const { seconds } of back) expect(seconds).toBeGreaterThan(0)
    for (const { child } of [classifier, next, watch]) child.kill("SIGTERM")
    for (const { ended } of [classifier, next, watch]) {
      const { code, stderr } = await ended
      expect(code).toBe(0)
      expect(stderr).not.toMatch(/w\d+|u\d+/)
    }
  })
})
