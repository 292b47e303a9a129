import { describe, expect, test } from "vitest"
import { reportFrom } from "../../src/stream/workers/figures-topic.ts"
import { GroupReports, type WorkerReport } from "../../src/stream/workers/group-figures.ts"
import type { PartitionFigures, SwapFigures } from "../../src/stream/workers/worker-figures.ts"

const swapOf = (released: number, more: Partial<SwapFigures> = {}): SwapFigures => ({
  ...{ k: 5, promised: true, reasons: ["Every cell has new names."], released, cells: released / 6, waiting: 3 },
  ...{ withheld: { backlog: 1 }, delaySeconds: { p50: 1, p99: 2 } },
  restored: { waiting: 0, pairs: 0, seconds: 0.1 },
  ...more,
})

const partitionOf = (partition: number, more: Partial<PartitionFigures> = {}): PartitionFigures => ({
  ...{ topic: "group.classified.0", partition, isWorking: true, lag: 4, restarts: 0, transactions: 9 },
  transactionSeconds: { p50: 0.01, p99: 0.02 },
  ...more,
})

const reportOf = (worker: string, more: Partial<WorkerReport>): WorkerReport => ({
  ...{ worker, role: "swap", group: "group", version: "0.1.0", now: 1000, startedAt: 0, partitionsOfGroup: 2 },
  ...{ plan: 1, partitions: [], restarts: 0, largest: [], risk: null, memory: { rss: 1, heap: 1 }, hasEnded: false },
  ...more,
})

const expected = [
  { role: "classify", topic: "searches", partitions: 1 },
  { role: "swap", topic: "group.classified.0", partitions: 2 },
] as const

describe("the reports of a group's workers", () => {
  test("show every partition that nobody works on", () => {
    const reports = new GroupReports()
    reports.take(reportOf("a", { partitions: [partitionOf(1, { swap: swapOf(60) })] }), 1000)
    const { partitions, promised, released, lag } = reports.figures("group", expected, 2000)
    expect(partitions.map(({ role, partition, worker }) => [role, partition, worker])).toEqual([
      ["classify", 0, null],
      ["swap", 0, null],
      ["swap", 1, "a"],
    ])
    expect({ promised, released }).toEqual({ promised: true, released: 60 })
    expect(lag).toEqual({ classify: 0, swap: 4, profiles: null })
  })

  test("show how far behind profiles are, if somebody keeps them", () => {
    const reports = new GroupReports()
    const released = (partition: number, behind: number) =>
      partitionOf(partition, { topic: "group.released", lag: behind })
    reports.take(reportOf("a", { role: "profiles", partitions: [released(0, 30), released(1, 12)] }), 1000)
    const { lag, partitions, workers } = reports.figures("group", expected, 2000)
    expect(lag).toMatchObject({ swap: 0, profiles: 42 })
    expect(workers).toMatchObject([{ role: "profiles", isSilent: false, partitions: 2 }])
    const own = partitions.filter(({ role }) => role === "profiles")
    expect(own.map(({ partition, worker }) => [partition, worker])).toEqual([
      [0, "a"],
      [1, "a"],
    ])
  })

  test("count a partition once while it moves, as the worker says that works on it", () => {
    const reports = new GroupReports()
    reports.take(reportOf("old", { partitions: [partitionOf(0, { swap: swapOf(60) })] }), 1000)
    reports.take(reportOf("new", { startedAt: 1, partitions: [partitionOf(0, { isWorking: false, lag: null })] }), 1000)
    const { partitions, released } = reports.figures("group", [], 2000)
    expect(partitions.map(({ worker }) => worker)).toEqual(["old"])
    expect(released).toBe(60)
  })

  test("count what was released under the plan in force, and all that waits", () => {
    const of = (plan: number, released: number) => {
      return partitionOf(0, { topic: `group.classified.${plan}`, plan, swap: swapOf(released) })
    }
    const done = {
      ...partitionOf(1, { topic: "group.classified.1", plan: 1, isMoved: true, isWorking: false }),
      lag: null,
    }
    const reports = new GroupReports()
    reports.take(reportOf("a", { partitions: [of(1, 600), done] }), 1000)
    reports.take(reportOf("b", { partitions: [of(2, 60)] }), 1000)
    const swappers = { role: "swap", topic: "group.classified.2", partitions: 1, plan: 2 } as const
    const { released, cells, waiting, withheld, workers, lag } = reports.figures("group", [swappers], 2000)
    expect({ released, cells, waiting, withheld }).toEqual({
      ...{ released: 60, cells: 10, waiting: 6 },
      withheld: { backlog: 1 },
    })
    expect(lag.swap).toBe(8)
    expect(workers.map(({ partitions }) => partitions)).toEqual([1, 1])
  })

  test("promise nothing if one partition promises nothing, and say why", () => {
    const reports = new GroupReports()
    const refuted = swapOf(6, { promised: false, reasons: ["The running attack is right too often."] })
    reports.take(
      reportOf("a", { partitions: [partitionOf(0, { swap: swapOf(6) }), partitionOf(1, { swap: refuted })] }),
      1000,
    )
    expect(reports.figures("group", expected, 2000)).toMatchObject({
      promised: false,
      reasons: ["The running attack is right too often."],
    })
  })

  test("give no partition to a silent worker, and forget it after five minutes", () => {
    const reports = new GroupReports()
    reports.take(reportOf("a", { partitions: [partitionOf(0, { swap: swapOf(6) })] }), 1000)
    const late = reports.figures("group", expected, 20_000)
    expect(late.workers).toMatchObject([{ worker: "a", isSilent: true, silentSeconds: 19 }])
    expect(late.partitions.every(({ worker }) => worker === null)).toBe(true)
    expect(late.promised).toBeNull()
    expect(reports.figures("group", expected, 400_000).workers).toEqual([])
  })

  test("forget a worker that ended at once", () => {
    const reports = new GroupReports()
    reports.take(reportOf("a", {}), 1000)
    reports.take(reportOf("a", { hasEnded: true }), 1500)
    expect(reports.figures("group", expected, 2000).workers).toEqual([])
  })

  test("measure rates between two reports, without partitions that came or went", () => {
    const reports = new GroupReports()
    const classifier = (messages: number, now: number) =>
      reportOf("c", {
        role: "classify",
        now,
        classifier: { messages, classified: messages, rejected: {}, withheld: {} },
      })
    reports.take(classifier(100, 1000), 1000)
    reports.take(classifier(400, 4000), 4000)
    reports.take(reportOf("s", { now: 1000, partitions: [partitionOf(0, { swap: swapOf(60) })] }), 1000)
    const later = [partitionOf(0, { swap: swapOf(90) }), partitionOf(1, { swap: swapOf(6000) })]
    reports.take(reportOf("s", { now: 4000, partitions: later }), 4000)
    expect(reports.figures("group", expected, 4000).perSecond).toEqual({ in: 100, out: 10 })
  })

  test("are read if they are reports; other messages are passed over", () => {
    const report = reportOf("a", { partitions: [partitionOf(1)] })
    const read = (value: unknown) => reportFrom(Buffer.from(JSON.stringify(value)))
    expect(read(report)).toEqual(report)
    const others = [7, null, {}, { ...report, largest: undefined }, { ...report, partitions: [null] }]
    for (const other of others) expect(read(other)).toBeUndefined()
    expect(reportFrom(Buffer.from("{"))).toBeUndefined()
    expect(reportFrom(null)).toBeUndefined()
  })
})
