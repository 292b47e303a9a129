import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { workerMetricsText } from "#dist/server/worker-metrics.js"
import { RecordCollector } from "#dist/stream/live/record-collector.js"
import { cellAt, RiskWindow, truthAt, windowColumns } from "#dist/stream/live/risk-window.js"
import { encodeChange, encodeEnd, encodeRecords } from "#dist/stream/workers/classified-message.js"
import type { PartitionPlace } from "#dist/stream/workers/partition-client.js"
import { type RestoredState, StateReader } from "#dist/stream/workers/restore-state.js"
import { WorkerSecrets } from "#dist/stream/workers/secret-file.js"
import type { SwapPartition } from "#dist/stream/workers/swap-partition.js"
import { type SwapWorkerParts, swapInPartition } from "#dist/stream/workers/swap-worker.js"
import { WorkerMeter } from "#dist/stream/workers/worker-meter.js"
import type { WorkerPlan } from "#dist/stream/workers/worker-plan.js"
import { taxonomyFingerprint } from "#dist/taxonomy/fingerprint.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { FakeKafka } from "../support/fake-kafka.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({})
const taxonomy = await openTaxonomy(write("pets\t1\t\npets/dogs\t1\tdog\ncars\t1\tcar\n", "topics.tsv"), {}, context)
const [dogs = 0, cars = 0] = ["pets/dogs", "cars"].map((path) => taxonomy.find(path))

const planOf = (epoch: number, partitions: number, previous?: number): WorkerPlan => ({
  ...{ version: 1, epoch, input: "searches", partitions, backlog: 5, distinctTexts: true, remember: 100 },
  settings: {
    ...{ k: 2, depth: 2, mode: "strict", users: "cell", urls: "keep", time: "hour", category: true, to: "jsonl" },
    ...{ numbered: true, repeats: "once", scrub: "none", sensitive: [], gated: [] },
  },
  ...{ checkpoint: 60, keeping: { forgetHours: 24, keepHours: 24 } },
  ...{ taxonomy: taxonomyFingerprint(taxonomy), secretChecks: [] },
  table: [
    ["pets/dogs", 0],
    ["cars", partitions - 1],
  ],
  ...(previous !== undefined && { previous: { partitions: previous } }),
})

type Search = [user: string, query: string, topic?: number]
const searches = (...rows: Search[]) => {
  const collector = new RecordCollector()
  for (const [user, query, topic = dogs] of rows) {
    const spans = [user, query].map((text) => ({ bytes: Buffer.from(text), start: 0, end: text.length }))
    collector.add({ topic, time: 1_000_000, arrival: 0, rank: 1 }, spans)
  }
  return { value: encodeRecords(collector.take()) }
}

/** A group of workers, all of which this process is. */
class Group {
  readonly kafka = new FakeKafka()
  readonly plans = new Map<number, WorkerPlan>()
  readonly stop = new AbortController()
  /** What each partition has, by topic and partition. */
  readonly seen = new Map<string, SwapPartition>()
  readonly moved: string[] = []
  readonly runs: Promise<void>[] = []
  /** How often the running attack forgot what it had seen. */
  forgotten = 0
  readonly window = new RiskWindow({ size: 100 })
  readonly meter = new WorkerMeter({
    ...{ role: "swap", group: "group", version: "1", taxonomy, now: () => 0, partitionsOfGroup: () => 1 },
    plan: () => Math.max(...this.plans.keys()),
  })

  constructor(...plans: WorkerPlan[]) {
    for (const plan of plans) this.plans.set(plan.epoch, plan)
  }

  work(epoch: number, partition: number): Promise<void> {
    const of = (wanted: number) => this.plans.get(wanted) as WorkerPlan
    const parts: unknown = {
      ...{ link: this.kafka.link, group: "group", taxonomy, context, warn() {} },
      plans: {
        ...{ of, after: (plan: WorkerPlan) => this.plans.get(plan.epoch + 1), countInputs: async () => 1 },
        ...{ look: async () => {}, current: of(Math.max(...this.plans.keys())) },
      },
      secrets: new WorkerSecrets([Buffer.alloc(32, 7)]),
      risk: { window: this.window, see() {}, restart: () => this.forgotten++ },
      meter: this.meter,
      seen: (place: PartitionPlace, swap: SwapPartition) => {
        this.seen.set(`${place.topic} ${place.partition}`, swap)
        this.meter.swapped(place, swap)
      },
      moved: (place: PartitionPlace) => {
        this.moved.push(`${place.topic} ${place.partition}`)
        this.meter.moved(place)
      },
    }
    const place = { topic: `group.classified.${epoch}`, partition }
    const work = this.meter.measure((at, signal) => swapInPartition(parts as SwapWorkerParts, at, signal))
    const run = work(place, this.stop.signal)
    this.runs.push(run)
    return run
  }

  async close(): Promise<void> {
    this.stop.abort()
    await Promise.allSettled(this.runs)
  }

  /** What has been released, with the partition. */
  released(partition = 0): { seq: number; query: string }[] {
    return this.kafka.messages("group.released", partition).map(({ value }) => JSON.parse(String(value)))
  }
}

const groups: Group[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const group of groups.splice(0)) await group.close()
})
const openGroup = (...plans: WorkerPlan[]) => {
  const group = new Group(...plans)
  groups.push(group)
  return group
}

describe("a swapper of a group", () => {
  test("takes the settings of the plan if changes may have been among what was deleted unread", async () => {
    const [topic, key] = ["group.classified.1", "group.classified.1 0"]
    const before = openGroup(planOf(1, 1))
    before.kafka.send(topic, 0, searches(["anna", "one"]))
    before.work(1, 0)
    await vi.waitFor(() => expect(before.seen.get(key)?.core.held).toBe(1), { timeout: 60_000 })
    await before.close()
    const plan = planOf(1, 1)
    const after = openGroup({ ...plan, settings: { ...plan.settings, k: 5, gated: ["cars"] } })
    Object.assign(after, { kafka: before.kafka })
    const change = { value: encodeChange({ change: { k: 5, withhold: ["cars"] }, secretChecks: [] }) }
    after.kafka.send(topic, 0, change)
    after.kafka.deleteBefore(topic, 0, 2)
    for (const user of ["bob", "cleo", "dan"]) after.kafka.send(topic, 0, searches([user, `of ${user}`]))
    after.work(1, 0)
    await vi.waitFor(() => expect(after.seen.get(key)?.core.held).toBe(4), { timeout: 60_000 })
    expect(after.seen.get(key)?.core.settings).toMatchObject({ k: 5, gated: ["cars"] })
    expect(after.released()).toEqual([])
    // The next owner has them from the changelog.
    await after.close()
    const next = openGroup(plan)
    Object.assign(next, { kafka: before.kafka })
    next.work(1, 0)
    await vi.waitFor(() => expect(next.seen.get(key)?.core.settings).toMatchObject({ k: 5, gated: ["cars"] }))
  })

  test("reads the changelog once while it waits for a handover, and decodes it once", async () => {
    const group = openGroup(planOf(1, 2), planOf(2, 1, 2))
    const changelog = "group.changelog.2 0"
    for (const partition of [0, 1]) {
      const topic = partition === 0 ? dogs : cars
      group.kafka.send("group.classified.1", partition, searches(["anna", "one", topic], ["anna", "two", topic]))
      group.kafka.send("group.classified.1", partition, { value: encodeEnd(0) })
    }
    const decoded = vi.spyOn(StateReader.prototype, "read")
    group.work(2, 0)
    group.work(1, 0)
    await vi.waitFor(() => expect(group.moved).toContain("group.classified.1 0"), { timeout: 60_000 })
    const before = decoded.mock.calls.length
    // It looks for the other partition for a while.
    const reads = group.kafka.reads
    await vi.waitFor(() => expect(reads.get(changelog)).toBeGreaterThan(0), { timeout: 60_000 })
    expect(decoded.mock.calls.length).toBe(before)
    group.work(1, 1)
    await vi.waitFor(() => expect(group.seen.get("group.classified.2 0")?.core.held).toBe(4), { timeout: 60_000 })
    const ofMovers = group.kafka.messages("group.changelog.2").filter(({ value }) => value !== null)
    expect(reads.get(changelog)).toBeLessThanOrEqual(ofMovers.length)
  })

  test("reports a partition that it handed over as done, and counts what it releases after that from 0", async () => {
    const group = openGroup(planOf(1, 1), planOf(2, 1, 1))
    const cell = (first: number) => searches(...[1, 2, 3].map((i): Search => [`u${first + i}`, `w${first + i}`]))
    group.kafka.send("group.classified.1", 0, cell(0))
    group.kafka.send("group.classified.1", 0, { value: encodeEnd(0) })
    group.kafka.send("group.classified.2", 0, cell(10))
    const places = [1, 2].map((plan) => ({ topic: `group.classified.${plan}`, partition: 0 }))
    const ended = group.work(1, 0)
    group.work(2, 0)
    await ended // it needs no signal
    await vi.waitFor(() => expect(group.released()).toHaveLength(6), { timeout: 60_000 })
    await vi.waitFor(() => expect(group.meter.figures(places).partitions[1]?.lag).toBe(0), { timeout: 60_000 })
    const figures = group.meter.figures(places)
    expect(figures.partitions).toMatchObject([
      { plan: 1, isMoved: true, lag: null },
      { plan: 2, isMoved: false, isWorking: true, swap: { released: 3, waiting: 0, cells: 1 } },
    ])
    expect(figures.partitions[0]?.swap).toBeUndefined()
    expect(group.released().map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5])
    const samples = workerMetricsText(figures)
      .split("\n")
      .filter((line) => /^queryveil/.test(line))
    const names = samples.map((line) => line.slice(0, line.lastIndexOf(" ")))
    expect(new Set(names).size).toBe(names.length)
    expect(samples).toContain("queryveil_worker_partitions 1")
    expect(samples.filter((line) => line.includes("partition_working"))).toEqual([
      'queryveil_worker_partition_working{partition="0",plan="2"} 1',
    ])
  })

  test("lets the running attack see releases of all its partitions, and none twice", async () => {
    const group = openGroup(planOf(1, 2))
    const cell = searches(["u1", "a"], ["u2", "b"], ["u3", "c"])
    group.work(1, 0)
    group.kafka.send("group.classified.1", 0, cell)
    await vi.waitFor(() => expect(group.released()).toHaveLength(3), { timeout: 60_000 })
    group.work(1, 1)
    group.kafka.send("group.classified.1", 1, searches(["u1", "d", cars], ["u2", "e", cars], ["u3", "f", cars]))
    await vi.waitFor(() => expect(group.released(1)).toHaveLength(3), { timeout: 60_000 })
    expect([group.window.held, group.forgotten]).toEqual([6, 0])
    const { columns } = group.window.take()
    const at = (column: number) => Array.from({ length: 6 }, (_, i) => columns[i * windowColumns + column])
    expect(new Set(at(cellAt)).size).toBe(2) // both are the first cell of their partition
    expect(new Set(at(truthAt)).size).toBe(6) // so each user has another name in each
    group.kafka.failures = 1
    const failed = expect(group.runs[0]).rejects.toThrow("the transaction failed")
    group.kafka.send("group.classified.1", 0, searches(["u4", "g"], ["u5", "h"], ["u6", "i"]))
    await failed
    expect(group.forgotten).toBe(1)
  })

  test("does not keep what it restored, which has searches that are released later", async () => {
    const group = openGroup(planOf(1, 1))
    const restored: WeakRef<RestoredState>[] = []
    const read = StateReader.prototype.read
    vi.spyOn(StateReader.prototype, "read").mockImplementation(function (this: StateReader) {
      const state = read.call(this)
      restored.push(new WeakRef(state))
      return state
    })
    group.work(1, 0)
    group.kafka.send("group.classified.1", 0, searches(["anna", "one"]))
    await vi.waitFor(() => expect(group.seen.get("group.classified.1 0")?.core.held).toBe(1), { timeout: 60_000 })
    setFlagsFromString("--expose-gc")
    const collect: () => void = runInNewContext("gc")
    vi.mocked(StateReader.prototype.read).mockClear()
    await vi.waitFor(
      () => {
        collect()
        expect(restored.map((state) => state.deref())).toEqual([undefined])
      },
      { timeout: 60_000 },
    )
  })
})
