import { setTimeout as wait } from "node:timers/promises"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { KafkaMessage } from "../kafka/kafka-library.ts"
import type { KafkaLink } from "../kafka/kafka-link.ts"
import { stampUnits } from "../kafka/kafka-output.ts"
import type { EncodedRecords } from "../live/encode-releases.ts"
import type { StreamChange } from "../live/live-stream.ts"
import type { StreamSettings } from "../live/settings.ts"
import { decodeClassified } from "./classified-message.ts"
import { handOver } from "./hand-over.ts"
import type { StateMessage } from "./partition-changelog.ts"
import { lostText, type OutgoingMessage, PartitionClient, type PartitionPlace } from "./partition-client.ts"
import type { PlanWatch } from "./plan-topic.ts"
import { countRestored, type RestoredState, StateReader } from "./restore-state.ts"
import type { WorkerSecrets } from "./secret-file.ts"
import { StateSeal } from "./state-seal.ts"
import { SwapPartition } from "./swap-partition.ts"
import type { PartitionMeter } from "./worker-meter.ts"
import { epochOfTopic, namesOf, partitionOfTopics, type WorkerPlan } from "./worker-plan.ts"
import type { WorkerRisk } from "./worker-risk.ts"

/** What one transaction takes, about. */
const transactionBytes = 2 << 20
const mostMessages = 64
const hour = 3_600_000
/** How long to wait before looking again whether anything was handed over, in milliseconds. */
const emptyPause = 500

export interface SwapWorkerParts {
  link: KafkaLink
  group: string
  plans: PlanWatch
  taxonomy: Taxonomy
  secrets: WorkerSecrets
  risk: WorkerRisk
  meter: PartitionMeter
  context: RunContext
  warn(text: string): void
  /** Is called when a partition has what it needs, and after each transaction. */
  seen?(place: PartitionPlace, swap: SwapPartition): void
  /** Is called when a partition has handed over what it had. It has no more work. */
  moved?(place: PartitionPlace): void
}

/**
 * Swaps the searches of one classified partition, until the signal. When its plan has ended and everything before the
 * end is swapped, it hands over what waits to the partitions of the next plan, and returns.
 */
export async function swapInPartition(
  parts: SwapWorkerParts,
  place: PartitionPlace,
  signal: AbortSignal,
): Promise<void> {
  const names = namesOf(parts.group, 0)
  const client = await PartitionClient.open(parts.link, place, names.swap)
  parts.meter.opened(place, client)
  try {
    let isOver = false
    while (!isOver && !signal.aborted) isOver = await new Swapping(parts, { client, place }).run(signal)
    if (isOver) parts.moved?.(place)
  } catch (error) {
    // What was not committed is released again. The attack would see it twice.
    parts.risk.restart()
    throw error
  } finally {
    await client.close()
  }
}

/** One worker's time with one partition. */
class Swapping {
  readonly #parts: SwapWorkerParts
  readonly #client: PartitionClient
  readonly #place: PartitionPlace
  readonly #plan: WorkerPlan
  readonly #names: ReturnType<typeof namesOf>
  readonly #swap: SwapPartition
  #checkpointAt: number
  #committedAt = performance.now()
  #next = 0
  #hasLost = false

  constructor(parts: SwapWorkerParts, { client, place }: { client: PartitionClient; place: PartitionPlace }) {
    const { group, plans, taxonomy, secrets, risk, context } = parts
    const plan = plans.of(epochOfTopic(place.topic))
    const at = { partition: place.partition, epoch: plan.epoch }
    this.#parts = parts
    this.#client = client
    this.#place = place
    this.#plan = plan
    this.#names = namesOf(group, plan.epoch)
    this.#swap = new SwapPartition(at, { ...plan, taxonomy, secrets }, { window: risk.window, context })
    this.#checkpointAt = performance.now()
  }

  /** Works until the signal or the end of the plan. True if the partition has no more work. */
  async run(signal: AbortSignal): Promise<boolean> {
    const begun = await this.#begin(signal)
    if (begun !== "working") return begun === "moved"
    this.#client.lost = (messages) => {
      this.#parts.warn(lostText(this.#place, messages))
      this.#hasLost = true
    }
    const lost = await this.#client.begin(this.#next)
    if (lost > 0) this.#client.lost(lost)
    this.#parts.seen?.(this.#place, this.#swap)
    while (!signal.aborted) {
      const messages = await this.#client.read(mostMessages)
      if (this.#hasLost) await this.#takePlan()
      for (let from = 0; from < messages.length && !signal.aborted; ) from = await this.#take(messages, from)
      // Everything is committed. The next run reads it, and hands it over or encrypts it again.
      if (this.#swap.isToRestore || (await this.#isDrained())) return false
      if (messages.length === 0) await this.#tidy()
    }
    return false
  }

  /**
   * Changes may have been among messages that were deleted before they were read. So the settings of the newest plan,
   * which has them, are taken before anything else, and kept in a transaction of their own.
   */
  async #takePlan(): Promise<void> {
    const { plans } = this.#parts
    await plans.look()
    const { settings, secretChecks } = plans.current
    this.#swap.take({ change: missedChange(this.#swap.core.settings, settings), secretChecks })
    await this.#commit()
    this.#hasLost = false
  }

  /**
   * Restores the partition, and hands it over if its plan has ended. What was restored is forgotten when this returns:
   * it has all searches that waited, also those that will be released.
   */
  async #begin(signal: AbortSignal): Promise<"aborted" | "moved" | "working"> {
    const began = performance.now()
    const state = await this.#restore(signal)
    if (state === undefined) return "aborted"
    this.#parts.meter.restored(this.#place, { ...countRestored(state), seconds: (performance.now() - began) / 1000 })
    if (state.facts?.isMoved) return "moved"
    if (!(await this.#isDrained())) return "working"
    await this.#handOver(state)
    return "moved"
  }

  /**
   * True if there is a next plan, and all partitions of the input have ended what they send under this one. Those that
   * were added meanwhile count: a classifier may have begun one before it saw the next plan.
   */
  async #isDrained(): Promise<boolean> {
    const { plans, link } = this.#parts
    if (plans.after(this.#plan) === undefined || !this.#swap.hasEnded(1)) return false
    return this.#swap.hasEnded(await plans.countInputs(link))
  }

  /** Brings back what the changelog has, and finds where to go on. Undefined if the signal came before. */
  async #restore(signal: AbortSignal): Promise<RestoredState | undefined> {
    const { classified, swap } = this.#names
    const { partition } = this.#place
    const committed = await this.#client.committed()
    const state = await this.#readChangelog(signal)
    if (state === undefined) return undefined
    const { offset } = state.facts ?? {}
    // Offsets of a group that nobody uses are forgotten after a while. The changelog has the same number.
    if (committed.offset !== undefined && offset !== committed.offset)
      throw new QueryveilError(
        "kafka-state",
        [
          `kafka topic ${classified}, partition ${partition}: the committed offset is ${committed.offset},`,
          `but the changelog says ${offset ?? "nothing"}. Do not change offsets of ${swap} by hand.`,
        ].join(" "),
      )
    this.#next = offset ?? 0
    if (state.facts !== undefined || this.#plan.previous === undefined) {
      this.#swap.restore(state)
      // The settings with which a partition begins are fixed before its first search: the plan may change.
      if (state.facts === undefined) await this.#commit()
      return state
    }
    this.#swap.changelog.restore(state)
    this.#swap.adopt(state.moved)
    await this.#commit()
    return state
  }

  /**
   * What the changelog has. A partition that has not begun waits for everything that the plan before hands over to it.
   * Undefined if the signal came before.
   */
  async #readChangelog(signal: AbortSignal): Promise<RestoredState | undefined> {
    const { changelog: topic } = this.#names
    const { partition } = this.#place
    const reader = new StateReader(this.#sealOf(topic, partition), placeName(topic, partition))
    const take = ({ key, value }: KafkaMessage) => reader.add(String(key), value)
    const readAll = () => this.#client.readAll({ topic, partition }, { take, signal })
    await readAll()
    const movers = this.#plan.previous?.partitions ?? 0
    while (!signal.aborted && !reader.hasBegun && reader.movers < movers) {
      // An empty partition is read from its beginning, another one on from its end.
      if (reader.isEmpty) await wait(emptyPause, undefined, { signal }).then(readAll, () => {})
      else for (const message of await this.#client.read(mostMessages)) take(message)
    }
    return signal.aborted ? undefined : reader.read()
  }

  /** Gives what waits to the partitions of the next plan, and notes that, in one transaction. */
  async #handOver(state: RestoredState): Promise<void> {
    const { plans, taxonomy, group } = this.#parts
    const next = plans.after(this.#plan)
    if (next === undefined) throw new Error("there is no next plan")
    const { changelog: topic } = namesOf(group, next.epoch)
    const partitionOf = partitionOfTopics(next, taxonomy)
    const { partitions } = next
    const moved = handOver(state, { from: this.#place.partition, partitionOf, partitions })
    const messages = moved.flatMap((own, partition) => this.#sealed(own, { topic, partition }))
    const own = this.#swap.commit(this.#next, { isMoved: true }).state
    const { changelog } = this.#names
    const kept = this.#sealed(own, { topic: changelog, partition: this.#place.partition })
    await this.#client.transact([...messages, ...kept], { offset: this.#next })
  }

  /** Takes messages from an index on, as many as one transaction may have. Returns the index of the next. */
  async #take(messages: readonly KafkaMessage[], from: number): Promise<number> {
    let bytes = 0
    let at = from
    for (; at < messages.length && bytes < transactionBytes; at++) {
      const { value, offset } = messages[at]
      const { topic, partition } = this.#place
      this.#swap.take(decodeClassified(value, `${placeName(topic, partition)}, offset ${offset}`))
      bytes += value?.length ?? 0
      this.#next = offset + 1
    }
    await this.#commit()
    return at
  }

  async #commit(): Promise<void> {
    const now = performance.now()
    this.#committedAt = now
    if (now - this.#checkpointAt > this.#plan.checkpoint * 1000) {
      this.#checkpointAt = now
      this.#swap.changelog.beginCheckpoint()
    }
    const { released, state } = this.#swap.commit(this.#next)
    const kept = this.#sealed(state, { topic: this.#names.changelog, partition: this.#place.partition })
    await this.#client.transact([...this.#releases(released), ...kept], { offset: this.#next })
    this.#parts.risk.see(this.#swap.core.settings)
    this.#parts.seen?.(this.#place, this.#swap)
  }

  #sealOf(topic: string, partition: number): StateSeal {
    return new StateSeal(this.#parts.secrets, placeName(topic, partition))
  }

  /** Messages for a partition of a changelog, encrypted. */
  #sealed(messages: readonly StateMessage[], { topic, partition }: PartitionPlace): OutgoingMessage[] {
    const seal = this.#sealOf(topic, partition)
    const { secret: version = 1 } = this.#swap.core.settings
    return messages.map(({ key, value }) => {
      return { topic, partition, key, value: value === null ? null : seal.seal(key, value, version) }
    })
  }

  /**
   * While nothing arrives: writes a checkpoint that is due, so that what was released is forgotten in time. Kafka does
   * not compact the last segment, and begins another only when something is written. So something is, now and then.
   */
  async #tidy(): Promise<void> {
    const now = performance.now()
    const isDue = now - this.#checkpointAt > this.#plan.checkpoint * 1000
    const isSilent = now - this.#committedAt > (this.#plan.keeping.forgetHours * hour) / 8
    const { changelog } = this.#swap
    if (changelog.isCheckpointing || isSilent || (isDue && changelog.hasNews)) await this.#commit()
  }

  /** One message for each release, stamped as exactly as releases show times. */
  #releases({ bytes, ends }: EncodedRecords): OutgoingMessage[] {
    const unit = stampUnits[this.#swap.core.settings.time]
    const timestamp = Math.floor(Date.now() / unit) * unit
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const [topic, partition] = [this.#names.released, this.#place.partition]
    return Array.from(ends, (end, i): OutgoingMessage => {
      return { topic, partition, value: whole.subarray(i === 0 ? 0 : ends[i - 1], end - 1), timestamp }
    })
  }
}

const placeName = (topic: string, partition: number) => `kafka topic ${topic}, partition ${partition}`

/**
 * The change from these settings to those of the plan. What a partition withholds stays withheld: a decision of its own
 * running attack may be among it.
 */
function missedChange(own: StreamSettings, plan: StreamSettings): StreamChange {
  return {
    ...(plan.k !== own.k && { k: plan.k }),
    ...(plan.secret !== undefined && plan.secret !== own.secret && { secret: plan.secret }),
    withhold: plan.gated.filter((path) => !own.gated.includes(path)),
  }
}
