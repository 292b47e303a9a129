import type { PartitionFigures, SwapFigures, WorkerFigures } from "../stream/workers/worker-figures.ts"
import { byQuantile, byReason, counter, type Family, gauge, type Labels, writeFamilies } from "./prometheus.ts"
import { riskFamilies } from "./risk-metrics.ts"

/** The figures of a worker in Prometheus' text format 0.0.4. Labels are words of the program and public paths. */
export function workerMetricsText(figures: WorkerFigures): string {
  return writeFamilies([
    ...workerFamilies(figures),
    ...partitionFamilies(figures.partitions),
    ...swapFamilies(figures.partitions),
    ...riskFamilies(figures.risk ?? undefined),
  ])
}

function workerFamilies(figures: WorkerFigures): Family[] {
  const { role, group, version, classifier, largest, memory } = figures
  return [
    gauge("worker_info", "Role, group and version of the worker, as labels; always 1.", [
      [{ role, group, version }, 1],
    ]),
    gauge("worker_start_time_seconds", "Start of the worker, in seconds since 1970.", figures.startedAt / 1000),
    gauge("worker_group_partitions", "Partitions that all workers of this role share.", figures.partitionsOfGroup),
    gauge(
      "worker_partitions",
      "Partitions of the plan in force that this worker has.",
      figures.partitions.filter(({ plan = figures.plan }) => plan === figures.plan).length,
    ),
    counter("worker_restarts", "Times that the work on a partition failed and began again.", figures.restarts),
    gauge("worker_resident_memory_bytes", "Resident memory of the process.", memory.rss),
    gauge("worker_heap_bytes", "Heap memory in use.", memory.heap),
    gauge(
      "worker_category_waiting",
      "Records waiting in the largest categories.",
      largest.map(({ path, waiting, ...at }) => [{ ...labelsOf(at), category: path }, waiting]),
    ),
    counter("worker_messages", "Messages that the classifier read.", classifier?.messages ?? []),
    counter("worker_classified", "Searches that the classifier passed on.", classifier?.classified ?? []),
    counter("worker_rejected", "Messages that are not searches, by reason.", byReason(classifier?.rejected ?? {})),
    counter(
      "worker_withheld",
      "Searches that the classifier withheld, by reason.",
      byReason(classifier?.withheld ?? {}),
    ),
  ]
}

function partitionFamilies(partitions: readonly PartitionFigures[]): Family[] {
  const each = (value: (figures: PartitionFigures) => number | null): Family["samples"] =>
    partitions.flatMap((figures) => {
      const found = value(figures)
      return found === null ? [] : [[labelsOf(figures), found] as const]
    })
  return [
    gauge(
      "worker_partition_working",
      "1 if the partition is worked on, 0 while it is restored or begins again; absent once it was handed over.",
      each(({ isWorking, isMoved }) => (isMoved === true ? null : isWorking ? 1 : 0)),
    ),
    gauge(
      "worker_lag_messages",
      "Messages of the partition that are not done.",
      each(({ lag }) => lag),
    ),
    counter(
      "worker_partition_restarts",
      "Times that the work on the partition failed and began again.",
      each(({ restarts }) => restarts),
    ),
    counter(
      "worker_transactions",
      "Transactions since the worker started.",
      each(({ transactions }) => transactions),
    ),
    gauge(
      "worker_transaction_seconds",
      "Time of a transaction, over the last minutes.",
      partitions.flatMap((figures) => within(labelsOf(figures), byQuantile(figures.transactionSeconds))),
    ),
  ]
}

function swapFamilies(partitions: readonly PartitionFigures[]): Family[] {
  const all = (samples: (swap: SwapFigures) => Family["samples"]): Family["samples"] =>
    partitions.flatMap((figures) =>
      figures.swap === undefined ? [] : within(labelsOf(figures), samples(figures.swap)),
    )
  const each = (value: (swap: SwapFigures) => number) => all((swap) => [[{}, value(swap)]])
  return [
    counter(
      "worker_released",
      "Records released in the whole life of the partition.",
      each(({ released }) => released),
    ),
    counter(
      "worker_cells",
      "Cells dealt in the whole life of the partition.",
      each(({ cells }) => cells),
    ),
    gauge(
      "worker_waiting",
      "Records waiting in the partition.",
      each(({ waiting }) => waiting),
    ),
    counter(
      "worker_partition_withheld",
      "Records that swappers withheld in the whole life of the partition, by reason.",
      all(({ withheld }) => byReason(withheld)),
    ),
    gauge(
      "worker_delay_seconds",
      "Waiting time of records, over recent releases.",
      all(({ delaySeconds }) => byQuantile(delaySeconds)),
    ),
    gauge(
      "worker_restore_seconds",
      "Time that it took to restore the partition.",
      each(({ restored }) => restored.seconds),
    ),
    gauge(
      "worker_restored_waiting",
      "Waiting records that were restored.",
      each(({ restored }) => restored.waiting),
    ),
    gauge(
      "worker_restored_pairs",
      "Released pairs of user and query that were restored.",
      each(({ restored }) => restored.pairs),
    ),
  ]
}

/** Partitions of different plans have the same numbers. */
const labelsOf = ({ partition, plan }: Pick<PartitionFigures, "partition" | "plan">): Labels => {
  return { partition: String(partition), ...(plan !== undefined && { plan: String(plan) }) }
}

const within = (labels: Labels, samples: Family["samples"]): Family["samples"] =>
  samples.map(([more, value]) => [{ ...labels, ...more }, value])
