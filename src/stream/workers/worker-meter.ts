import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { RecentQuantiles } from "../live/delays.ts"
import { countsUnder, largestCategories, mostShown } from "../live/gather-figures.ts"
import { statePromise } from "../live/state-promise.ts"
import type { StreamCore } from "../live/stream-core.ts"
import type { Quantiles, RiskFigures } from "../live/stream-figures.ts"
import type { PartitionPlace } from "./partition-client.ts"
import { keyOf, type PartitionWork } from "./partition-leases.ts"
import type { SwapPartition } from "./swap-partition.ts"
import type {
  ClassifierFigures,
  PartitionFigures,
  RestoredCounts,
  SwapFigures,
  WorkerFigures,
} from "./worker-figures.ts"
import { epochOfTopic } from "./worker-plan.ts"

/** What is measured of the connection for a partition. */
export interface MeasuredClient {
  /** Messages of the input that are not done; undefined before the brokers said where it ends. */
  readonly lag: number | undefined
  /** Is called after each transaction with the milliseconds that it took. */
  transacted: ((milliseconds: number) => void) | undefined
}

/** What a worker reports of its work. A worker without an admin address reports to nobody. */
export interface PartitionMeter {
  opened(place: PartitionPlace, client: MeasuredClient): void
  restored(place: PartitionPlace, what: RestoredCounts & { seconds: number }): void
}

export interface MeterOptions {
  role: WorkerFigures["role"]
  group: string
  version: string
  /** Partitions of the topic that workers of this role share. */
  partitionsOfGroup(): number
  /** The number of the plan in force. */
  plan(): number
  /** Milliseconds since 1970. */
  now: () => number
  /** Gives the paths of categories. */
  taxonomy: Taxonomy
  /** Totals of a classifier. */
  classifier?: ClassifierFigures
  /** The latest result of a swapper's running attack. */
  risk?: () => RiskFigures | undefined
}

/** Measures the work of one worker. It keeps numbers only, and looks at what waits when it is asked. */
export class WorkerMeter implements PartitionMeter {
  readonly #options: MeterOptions
  readonly #startedAt: number
  /** By `keyOf`. */
  readonly #partitions = new Map<string, MeasuredPartition>()

  constructor(options: MeterOptions) {
    this.#options = options
    this.#startedAt = options.now()
  }

  /** The same work, whose failures are counted. */
  measure(work: PartitionWork): PartitionWork {
    return async (place, signal) => {
      const measured = this.#of(place)
      try {
        await work(place, signal)
      } catch (error) {
        if (!signal.aborted) measured.restarts++
        throw error
      } finally {
        measured.leave()
      }
    }
  }

  opened(place: PartitionPlace, client: MeasuredClient): void {
    const measured = this.#of(place)
    measured.client = client
    client.transacted = (milliseconds) => measured.addTransaction(milliseconds / 1000, this.#options.now())
  }

  restored(place: PartitionPlace, what: RestoredCounts & { seconds: number }): void {
    this.#of(place).restored = what
  }

  /** A partition was restored, or a transaction of it ended. */
  swapped(place: PartitionPlace, swap: SwapPartition): void {
    this.#of(place).see(swap)
  }

  /** A partition has handed over what it had. */
  moved(place: PartitionPlace): void {
    this.#of(place).isMoved = true
  }

  /** The figures at this moment. `held`: the partitions that this worker has. */
  figures(held: readonly PartitionPlace[]): WorkerFigures {
    const { now: clock, taxonomy, classifier, risk, partitionsOfGroup, plan, ...about } = this.#options
    const now = clock()
    const measured = held.map((place) => ({ place, of: this.#of(place) }))
    const { rss, heapUsed } = process.memoryUsage()
    return {
      ...about,
      partitionsOfGroup: partitionsOfGroup(),
      plan: plan(),
      now,
      startedAt: this.#startedAt,
      partitions: measured.map(({ place, of }) => ({
        ...of.figures(place, { now, risk: risk?.() }),
        ...(about.role === "swap" && { plan: epochOfTopic(place.topic), isMoved: of.isMoved }),
      })),
      restarts: [...this.#partitions.values()].reduce((sum, { restarts }) => sum + restarts, 0),
      largest: measured
        .flatMap(({ place: { topic, partition }, of: { core } }) => {
          if (core === undefined) return []
          return largestCategories(core, taxonomy).map((each) => ({ ...each, partition, plan: epochOfTopic(topic) }))
        })
        .sort((a, b) => b.waiting - a.waiting)
        .slice(0, mostShown),
      risk: risk?.() ?? null,
      ...(classifier !== undefined && { classifier: classifierFigures(classifier) }),
      memory: { rss, heap: heapUsed },
    }
  }

  #of(place: PartitionPlace): MeasuredPartition {
    const found = this.#partitions.get(keyOf(place)) ?? new MeasuredPartition()
    this.#partitions.set(keyOf(place), found)
    return found
  }
}

const nothing: Quantiles = { p50: 0, p99: 0 }

/** What is known of one partition, also of one that this worker had before. */
class MeasuredPartition {
  restarts = 0
  isMoved = false
  client: MeasuredClient | undefined
  core: StreamCore | undefined
  restored: SwapFigures["restored"] = { waiting: 0, pairs: 0, seconds: 0 }
  #transactions = 0
  #seconds: RecentQuantiles | undefined
  /** As of the last transaction: what an open one adds may yet be undone. */
  #totals: Pick<SwapFigures, "released" | "waiting" | "cells" | "withheld"> | undefined

  addTransaction(seconds: number, now: number): void {
    this.#transactions++
    this.#seconds ??= new RecentQuantiles()
    this.#seconds.add(seconds, now)
  }

  see({ core, released }: SwapPartition): void {
    const { held: waiting, totals } = core
    this.core = core
    this.#totals = { released, waiting, cells: totals.cells ?? 0, withheld: countsUnder(totals, "withheld ") }
  }

  leave(): void {
    this.client = undefined
    this.core = undefined
    this.#totals = undefined
  }

  figures(
    { topic, partition }: PartitionPlace,
    { now, risk }: { now: number; risk: RiskFigures | undefined },
  ): PartitionFigures {
    const lag = this.client?.lag ?? null
    return {
      topic,
      partition,
      isWorking: lag !== null,
      lag,
      restarts: this.restarts,
      transactions: this.#transactions,
      transactionSeconds: this.#seconds?.quantiles(now) ?? nothing,
      ...this.#swap(now, risk),
    }
  }

  #swap(now: number, risk: RiskFigures | undefined): { swap?: SwapFigures } {
    const { core, restored } = this
    if (core === undefined || this.#totals === undefined) return {}
    const { settings, watch } = core
    const delaySeconds = watch.delaySeconds.quantiles(now)
    return { swap: { k: settings.k, ...statePromise(settings, risk), ...this.#totals, delaySeconds, restored } }
  }
}

const classifierFigures = ({ messages, classified, rejected, withheld }: ClassifierFigures): ClassifierFigures => {
  return { messages, classified, rejected: { ...rejected }, withheld: { ...withheld } }
}
