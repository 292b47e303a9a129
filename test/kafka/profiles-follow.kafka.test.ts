import type { ChildProcess } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { secretsOf } from "#dist/stream/store/store-secrets.js"
import type { GroupFigures } from "#dist/stream/workers/group-figures.js"
import {
  createTopic,
  deleteBefore,
  openReader,
  openSender,
  sendInTransaction,
  withAdmin,
} from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { hears } from "../support/live-cli.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { jsonOf, range, startRun, summaryOf, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")
const lasting = ["--users", "keep", "--category"]
const taxonomy = ["--taxonomy", topics]
const random = seededRandom(30)

/** Counts by user and path. */
type Counts = Record<string, Record<string, number>>

function addTo(counts: Counts, user: string, path: string, count: number): void {
  const own = counts[user] ?? {}
  counts[user] = { ...own, [path]: (own[path] ?? 0) + count }
}

/** What `stream profiles export` says of a store. */
async function profilesOf(store: string): Promise<{ counts: Counts; releases: number; stderr: string }> {
  const ended = await runCli([
    ...["stream", "profiles", "export", "--store", store, ...taxonomy, "--all-categories", "--json"],
  ])
  expect(ended).toMatchObject({ code: 0 })
  const [head, ...users] = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const counts: Counts = {}
  for (const { user, topics: own } of users) for (const { path, count } of own) addTo(counts, user, path, count)
  return { counts, releases: head.releases, stderr: ended.stderr }
}

describe.skipIf(why !== undefined)(`profiles of a group of workers${why === undefined ? "" : ` (${why})`}`, () => {
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

  const start = (...args: string[]) => {
    const run = startCli(["stream", ...args, "--json"])
    children.add(run.child)
    return run
  }

  /** A group of workers; `follow` counts what it releases in a store. */
  async function makeGroup(options: { name?: string; secret?: string; depth?: number; more?: string[] } = {}) {
    const { depth = 2, more = lasting } = options
    const { addresses } = cluster
    const group = options.name ?? `group-${++made}`
    const input = `searches-${group}`
    await createTopic(addresses, input, { partitions: 1 })
    const place = `kafka://${addresses}/${group}`
    const secret = fresh("secret")
    writeFileSync(secret, options.secret ?? "7".repeat(64), { mode: 0o600 })
    const created = await runCli([
      ...["stream", "topics", "create", place, "--input", input, "--partitions", "3", "--secret", secret, "-k", "2"],
      ...[...taxonomy, "--depth", String(depth), "--scrub", "none", "--json", ...more],
    ])
    expect(created.code).toBe(0)
    const sender = await openSender(addresses, input)
    const work = (role: "classify" | "swap") =>
      start(role, place, ...taxonomy, "--session-timeout", "6000", ...(role === "swap" ? ["--secret", secret] : []))
    const store = fresh("profiles")
    const follow = (at: string, ...flags: string[]) =>
      start("profiles", "follow", at, "--store", store, ...taxonomy, "--checkpoint", "1", ...flags)
    return { group, place, sender, work, store, follow, released: `${group}.released` }
  }

  /** Counts by user and category, and how many searches were released, by what the topic has. */
  async function shownIn(topic: string, partitions: number) {
    const reader = await openReader(cluster.addresses, topic, { isolation: "read_committed", partitions })
    const messages = await reader.rest()
    await reader.close()
    const counts: Counts = {}
    for (const { value } of messages) {
      const { user, category } = JSON.parse(String(value))
      addTo(counts, user, category, 1)
    }
    return { counts, releases: messages.length }
  }

  /** Waits until a group has released at least this many of its searches. */
  async function untilReleased(topic: string, least: number, partitions = 3) {
    for (;;) {
      const shown = await shownIn(topic, partitions)
      if (shown.releases >= least) return shown
      await wait(300)
    }
  }

  async function stop(...runs: ReturnType<typeof startCli>[]) {
    for (const { child } of runs) child.kill("SIGTERM")
    const ended = await Promise.all(runs.map((run) => run.ended))
    for (const { code, stderr } of ended) expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    return ended.map(({ stdout }) => JSON.parse(stdout))
  }

  /** Counts everything that there is. */
  async function followToEnd({ place, follow }: Awaited<ReturnType<typeof makeGroup>>) {
    const { code, stdout, stderr } = await follow(place, "--once").ended
    expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    expect(stderr).not.toMatch(/w\d+|\bu\d+/)
    return JSON.parse(stdout)
  }

  const errorOf = async ({ ended }: ReturnType<typeof startCli>) => {
    const { code, stderr } = await ended
    expect(code).not.toBe(0)
    return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error
  }

  /** The searches of a log, as their sender wrote them, in a single stream with the key that is returned. */
  async function runAlone(searches: number, depth: number) {
    const { addresses } = cluster
    const [from, to] = [`one-${++made}`, `one-released-${made}`]
    await createTopic(addresses, from)
    await createTopic(addresses, to)
    const sender = await openSender(addresses, from)
    await sender.send(range(0, searches).map(jsonOf))
    const store = fresh("store")
    const places = {
      store,
      topics,
      input: `kafka://${addresses}/${from}?stop=end`,
      output: `kafka://${addresses}/${to}`,
    }
    const { released } = await summaryOf(startRun({ ...places, more: [...lasting, "--depth", String(depth)] }).ended)
    const { key } = secretsOf(JSON.parse(readFileSync(join(store, "store.json"), "utf8"))).dealing
    return { store, released, secret: Buffer.from(key).toString("hex") }
  }

  test("are those that one stream keeps of the same searches with the same key, and can be published", async () => {
    const alone = await runAlone(2000, 2)
    const group = await makeGroup({ secret: alone.secret })
    const runs = [group.work("classify"), group.work("swap"), group.work("swap")]
    const following = group.follow(group.place)
    await group.sender.send(range(0, 2000).map(jsonOf))
    await untilReleased(group.released, alone.released)
    await stop(...runs)
    const [counted] = await stop(following)
    // It may have been stopped before it had counted everything.
    expect(counted.counted).toBeLessThanOrEqual(alone.released)
    expect(await followToEnd(group)).toMatchObject({ releases: alone.released, lag: 0, lost: 0 })
    const [own, other] = [await profilesOf(group.store), await profilesOf(alone.store)]
    expect(own).toEqual(other)
    expect(Object.keys(own.counts)).toHaveLength(23)

    const showOf = async (store: string) => {
      const { stdout } = await runCli(["stream", "profiles", "u3", "--store", store, ...taxonomy, "-k", "1", "--json"])
      return JSON.parse(stdout)
    }
    expect(await showOf(group.store)).toEqual(await showOf(alone.store))
    expect(JSON.stringify(await showOf(group.store))).toContain("pets/dogs")
    const tableOf = async (store: string, more: string[]) => {
      const release = fresh("release")
      const publish = ["stream", "profiles", "publish", "--store", store, ...taxonomy, "-o", release]
      const { code, stderr } = await runCli([...publish, "-k", "3", "--group-size", "5", ...more])
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return { release, rows: readFileSync(join(release, "profiles.tsv"), "utf8").trim().split("\n").length }
    }
    const audit = fresh("audit")
    const published = await tableOf(group.store, ["--audit", audit])
    expect(published.rows).toBeGreaterThan(3)
    const log = write(range(0, 2000).map(jsonOf).join("\n"), "log.jsonl")
    const verified = await runCli(["verify", published.release, "--against", log, "--audit", audit, "--json"])
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: "passed", promised: true })
  })

  test("are those of a single stream at the depth of the group, if searches have deeper topics", async () => {
    const alone = await runAlone(1000, 1)
    const group = await makeGroup({ secret: alone.secret, depth: 1 })
    const runs = [group.work("classify"), group.work("swap")]
    await group.sender.send(range(0, 1000).map(jsonOf))
    await untilReleased(group.released, alone.released)
    await stop(...runs)
    await followToEnd(group)
    const cut: Counts = {}
    const { counts } = await profilesOf(alone.store)
    for (const [user, own] of Object.entries(counts))
      for (const [path, count] of Object.entries(own)) addTo(cut, user, path.split("/")[0] ?? "", count)
    expect((await profilesOf(group.store)).counts).toEqual(cut)
  })

  test("lack nothing and count nothing twice when all are killed at random moments, also in a new plan", async () => {
    const group = await makeGroup({ more: [...lasting, "--checkpoint", "1"] })
    const runs = { classify: [group.work("classify")], swap: [group.work("swap"), group.work("swap")] }
    await Promise.all(runs.swap.map(({ child }) => hears(child, (told) => told.includes("swapping in"))))
    let following = group.follow(group.place)
    let sent = 0
    for (let kill = 0; kill < 10; kill++) {
      await group.sender.send(range(sent, sent + 400).map(jsonOf))
      sent += 400
      if (kill % 2 === 0) await hears(following.child, (told) => told.includes("counting"))
      await wait(random.below(1800))
      following.child.kill("SIGKILL")
      await following.ended
      following = group.follow(group.place)
      if (kill % 4 === 3) {
        runs.swap.shift()?.child.kill("SIGKILL")
        runs.swap.push(group.work("swap"))
      }
      if (kill !== 5) continue
      const replan = ["stream", "topics", "replan", group.place, ...taxonomy, "--partitions", "5", "--depth", "1"]
      expect((await runCli(replan)).code).toBe(0)
    }
    await hears(following.child, (told) => told.includes("counting"))
    // What three categories hold back is less than this, with k = 2.
    await untilReleased(group.released, sent - 100, 5)
    await stop(...runs.classify, ...runs.swap)
    await stop(following)
    const answer = await followToEnd(group)
    const shown = await shownIn(group.released, 5)
    expect(answer).toMatchObject({ plan: 2, releases: shown.releases, lag: 0, lost: 0 })
    expect(await profilesOf(group.store)).toMatchObject(shown)
    expect(Object.values(shown.counts).some((own) => "pets" in own && "pets/dogs" in own)).toBe(true)
  })

  test("follow new partitions while they run, and show how far behind they are", async () => {
    const group = await makeGroup()
    const runs = [group.work("classify"), group.work("swap")]
    const following = group.follow(group.place, "--admin", "127.0.0.1:0", "--admin-token-file", fresh("token"))
    await hears(following.child, (told) => told.includes("counting"))
    await group.sender.send(range(0, 300).map(jsonOf))
    await untilReleased(group.released, 250)
    const planned = hears(following.child, (told) => told.includes("the group goes on under plan 2"))
    const replan = ["stream", "topics", "replan", group.place, ...taxonomy, "--partitions", "4"]
    expect((await runCli(replan)).code).toBe(0)
    await planned
    const watched: GroupFigures = JSON.parse((await runCli(["stream", "watch", group.place, "--json"])).stdout)
    expect(watched.workers.map(({ role }) => role).sort()).toEqual(["classify", "profiles", "swap"])
    expect(watched.lag).toMatchObject({ profiles: expect.any(Number) })
    const own = watched.partitions.filter(({ role }) => role === "profiles")
    expect(own.map(({ topic, partition }) => [topic, partition])).toEqual([0, 1, 2, 3].map((i) => [group.released, i]))
    await group.sender.send(range(300, 600).map(jsonOf))
    const shown = await untilReleased(group.released, 550, 4)
    const until = async (): Promise<void> => {
      if ((await profilesOf(group.store)).releases >= shown.releases) return
      await wait(200)
      return until()
    }
    await until() // profiles can be read while they are kept
    await stop(...runs)
    const [answer] = await stop(following)
    const all = await shownIn(group.released, 4)
    expect(answer).toMatchObject({ plan: 2, releases: all.releases, counted: all.releases })
    expect(await profilesOf(group.store)).toMatchObject(all)
  })

  test("say how many releases were deleted before they were counted", async () => {
    const group = await makeGroup()
    const runs = [group.work("classify"), group.work("swap")]
    await group.sender.send(range(0, 600).map(jsonOf))
    await untilReleased(group.released, 550)
    await followToEnd(group)
    await group.sender.send(range(600, 1200).map(jsonOf))
    await untilReleased(group.released, 1150)
    await stop(...runs)
    const before = await profilesOf(group.store)
    for (const partition of [0, 1, 2])
      await deleteBefore(cluster.addresses, { topic: group.released, partition, offset: -1 })
    const { code, stdout, stderr } = await group.follow(group.place, "--once").ended
    expect(code).toBe(0)
    expect(stderr).toMatch(/messages that were deleted before they were counted: \d+/)
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({ releases: before.releases, counted: 0 })
    expect(answer.lost).toBeGreaterThanOrEqual(550)
    const after = await profilesOf(group.store)
    expect(after.counts).toEqual(before.counts)
    expect(after.stderr).toContain(`lack up to ${answer.lost} releases`)
  })

  test("are refused if releases show no users or categories, and for another group, taxonomy or store", async () => {
    const cell = await makeGroup({ more: [] })
    const refused = await errorOf(cell.follow(cell.place))
    expect(refused.code).toBe("option-value")
    expect(refused.message).toMatch(/--users cell.* and no categories.*stream topics create/)
    const hidden = await makeGroup({ more: ["--users", "keep"] })
    expect((await errorOf(hidden.follow(hidden.place))).message).toMatch(/shows no categories/)

    const group = await makeGroup()
    await followToEnd(group)
    const other = await makeGroup()
    const at = (place: string, store: string, tree = topics) =>
      start("profiles", "follow", place, "--once", "--store", store, "--taxonomy", tree)
    expect(await errorOf(at(other.place, group.store))).toMatchObject({ code: "store-mismatch" })
    const cars = write("pets\t1\t\ncars\t1\tcar\n", "other.tsv")
    expect((await errorOf(at(group.place, group.store, cars))).message).toMatch(/another taxonomy/)
    const alone = await runAlone(50, 2)
    expect((await errorOf(at(group.place, alone.store))).message).toMatch(/is the store of a stream/)
    const run = ["run", "--store", group.store, ...taxonomy, "--input", "-", "--no-admin"]
    expect((await errorOf(start(...run))).message).toMatch(/stream profiles follow/)

    const first = group.follow(group.place)
    await hears(first.child, (told) => told.includes("counting"))
    expect(await errorOf(group.follow(group.place))).toMatchObject({ code: "store-busy" })
    await stop(first)
  })

  test("stop at a message that no swapper wrote, and name its place and nothing of it", async () => {
    const group = await makeGroup()
    await sendInTransaction(cluster.addresses, group.released, { values: ["private words"], end: "commit" })
    const failed = group.follow(group.place)
    expect(await errorOf(failed)).toMatchObject({ code: "kafka-message" })
    expect((await failed.ended).stderr).toMatch(/partition \d, offset \d/)
    expect((await failed.ended).stderr).not.toContain("private")
  })

  test("are refused if the topic of releases was deleted and created again", async () => {
    const group = await makeGroup()
    await followToEnd(group)
    const { addresses } = cluster
    await withAdmin(
      addresses,
      (admin) =>
        new Promise<void>((resolve, reject) =>
          admin.deleteTopic(group.released, 30_000, (error) => (error ? reject(error) : resolve())),
        ),
    )
    const makeAgain = () => createTopic(addresses, group.released, { partitions: 3 }).catch(() => wait(300, "again"))
    while ((await makeAgain()) === "again"); // a topic that is being deleted is there for a moment yet
    const error = await errorOf(group.follow(group.place))
    expect(error).toMatchObject({ code: "input-changed" })
    expect(error.message).toContain("Give an empty folder as --store")
  })
})
