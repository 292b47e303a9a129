import type { LargestCategory, RiskFigures } from "../live/stream-figures.ts"
import type { PartitionFigures, WorkerFigures } from "./worker-figures.ts"

/** What a worker reports to its group. */
export interface WorkerReport extends WorkerFigures {
  /** Names the worker until it ends. */
  worker: string
  /** True in its last report, if it could still write one. */
  hasEnded: boolean
}

/** A worker of a group, as it last reported. */
interface GroupWorker {
  worker: string
  role: WorkerFigures["role"]
  version: string
  startedAt: number
  /** Seconds since its last report. */
  silentSeconds: number
  /** True if it should have reported again. */
  isSilent: boolean
  partitions: number
  restarts: number
  memory: WorkerFigures["memory"]
  risk: RiskFigures | null
}

/** A partition of a group, and the worker that has it; null if none does. */
export interface GroupPartition extends PartitionFigures {
  role: WorkerFigures["role"]
  worker: string | null
}

/** All workers of a group together. It never contains text of the log; paths of the taxonomy are public. */
export interface GroupFigures {
  group: string
  /** Milliseconds since 1970, by this machine's clock. */
  now: number
  /** The values of k in force, ascending. Partitions differ while a change reaches them. */
  k: readonly number[]
  /** Whether every partition that is swapped promises at most 1/k, and the reasons. Null before any is swapped. */
  promised: boolean | null
  reasons: readonly string[]
  /** Searches per second that classifiers read and swappers release, between their last two reports. */
  perSecond: { in: number; out: number }
  /** Under the plan in force, as are the cells and what swappers withheld. */
  released: number
  /** Also in partitions that have not handed over yet. */
  waiting: number
  cells: number
  withheld: Record<string, number>
  /** Messages that are not done; null if nobody keeps profiles. */
  lag: { classify: number; swap: number; profiles: number | null }
  workers: readonly GroupWorker[]
  partitions: readonly GroupPartition[]
  /** The categories with the most waiting records, at most 20. */
  largest: readonly LargestCategory[]
}

/** The partitions that a group must work on. */
export interface ExpectedPartitions {
  role: WorkerFigures["role"]
  topic: string
  partitions: number
  /** Of swappers: the plan in force. */
  plan?: number
}

/** A worker that has reported nothing for this long is silent. */
const silence = 15_000
/** A silent worker is forgotten after this time. */
const forgotten = 5 * 60_000
const mostShown = 20

/** The latest reports of a group's workers. Times are by the clock of the reader, because clocks of machines differ. */
export class GroupReports {
  readonly #last = new Map<string, { report: WorkerReport; before?: WorkerReport; at: number }>()

  take(report: WorkerReport, at: number): void {
    const known = this.#last.get(report.worker)
    if (report.hasEnded) this.#last.delete(report.worker)
    else this.#last.set(report.worker, { report, at, ...(known !== undefined && { before: known.report }) })
  }

  get size(): number {
    return this.#last.size
  }

  figures(group: string, expected: readonly ExpectedPartitions[], now: number): GroupFigures {
    for (const [worker, { at }] of this.#last) if (now - at > forgotten) this.#last.delete(worker)
    const known = [...this.#last.values()].sort((a, b) => a.report.startedAt - b.report.startedAt)
    const present = known.filter(({ at }) => now - at <= silence)
    const partitions = partitionsOf(
      present.map(({ report }) => report),
      expected,
    )
    const swapped = partitions.flatMap(({ swap }) => swap ?? [])
    const latest = Math.max(0, ...partitions.map(({ plan = 0 }) => plan))
    const inForce = partitions.flatMap(({ plan = 0, swap }) => (plan === latest && swap !== undefined ? swap : []))
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
    const lagOf = (wanted: GroupPartition["role"]) =>
      sum(partitions.filter(({ role }) => role === wanted).map(({ lag }) => lag ?? 0))
    return {
      group,
      now,
      k: [...new Set(swapped.map(({ k }) => k))].sort((a, b) => a - b),
      promised: swapped.length === 0 ? null : swapped.every(({ promised }) => promised),
      reasons: reasonsOf(swapped),
      perSecond: { in: sum(present.map(inRate)), out: sum(present.map(outRate)) },
      released: sum(inForce.map(({ released }) => released)),
      waiting: sum(swapped.map(({ waiting }) => waiting)),
      cells: sum(inForce.map(({ cells }) => cells)),
      withheld: addCounts([
        ...inForce.map(({ withheld }) => withheld),
        ...present.map(({ report }) => report.classifier?.withheld ?? {}),
      ]),
      lag: {
        classify: lagOf("classify"),
        swap: lagOf("swap"),
        profiles: present.some(({ report }) => report.role === "profiles") ? lagOf("profiles") : null,
      },
      workers: known.map(({ report, at }) => workerOf(report, now - at)),
      partitions,
      largest: present
        .flatMap(({ report }) => report.largest.map(({ partition: _, plan: _plan, ...category }) => category))
        .sort((a, b) => b.waiting - a.waiting)
        .slice(0, mostShown),
    }
  }
}

function workerOf(report: WorkerReport, age: number): GroupWorker {
  const { worker, role, version, startedAt, partitions, restarts, memory, risk } = report
  return {
    ...{ worker, role, version, startedAt, restarts, memory, risk },
    partitions: partitions.filter(({ isMoved }) => isMoved !== true).length,
    ...{ silentSeconds: age / 1000, isSilent: age > silence },
  }
}

/** Every partition once: as the worker reports that works on it, or else without a worker. */
function partitionsOf(reports: readonly WorkerReport[], expected: readonly ExpectedPartitions[]): GroupPartition[] {
  const found = new Map<string, GroupPartition>()
  const keyOf = (role: string, { topic, partition }: { topic: string; partition: number }) =>
    `${role} ${topic} ${partition}`
  for (const { role, topic, partitions, plan } of expected)
    for (let partition = 0; partition < partitions; partition++)
      found.set(keyOf(role, { topic, partition }), {
        ...{ role, worker: null, ...nobody, topic, partition },
        ...(plan !== undefined && { plan }),
      })
  for (const { role, worker, partitions } of reports)
    for (const figures of partitions) {
      const key = keyOf(role, figures)
      if (found.get(key)?.isWorking === true && !figures.isWorking) continue
      found.set(key, { role, worker, ...figures })
    }
  return [...found.values()].sort(
    (a, b) => a.role.localeCompare(b.role) || a.topic.localeCompare(b.topic) || a.partition - b.partition,
  )
}

const nobody = {
  ...{ isWorking: false, lag: null, restarts: 0, transactions: 0 },
  transactionSeconds: { p50: 0, p99: 0 },
}

/** If some partitions promise nothing, their reasons; else why all promise it. */
function reasonsOf(swapped: readonly { promised: boolean; reasons: readonly string[] }[]): string[] {
  const against = swapped.filter(({ promised }) => !promised)
  return [...new Set((against.length > 0 ? against : swapped).flatMap(({ reasons }) => reasons))]
}

type Reported = { report: WorkerReport; before?: WorkerReport }

const inRate = ({ report, before }: Reported) =>
  before === undefined
    ? 0
    : per(report, before, (report.classifier?.messages ?? 0) - (before.classifier?.messages ?? 0))

/** Counts only partitions that the worker had in both reports. */
function outRate({ report, before }: Reported): number {
  if (before === undefined) return 0
  const earlier = new Map(before.partitions.map(({ topic, partition, swap }) => [`${topic} ${partition}`, swap]))
  const released = report.partitions.map(({ topic, partition, swap }) => {
    const first = earlier.get(`${topic} ${partition}`)
    return swap === undefined || first === undefined ? 0 : swap.released - first.released
  })
  return per(
    report,
    before,
    released.reduce((sum, count) => sum + count, 0),
  )
}

const per = (report: WorkerReport, before: WorkerReport, count: number) =>
  report.now > before.now ? Math.max(0, count) / ((report.now - before.now) / 1000) : 0

function addCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  return sums
}
