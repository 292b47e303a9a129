import { QueryveilError } from "../../kernels/error.ts"
import type { InputLag } from "../live/stream-figures.ts"
import type { TopicFacts } from "./check-topic.ts"
import { call, callAgain, type KafkaMessage, type LibraryConsumer, type PartitionOffset } from "./kafka-library.ts"
import { patience } from "./kafka-link.ts"
import type { TopicPosition } from "./kafka-position.ts"
import { PartitionMerge } from "./merge-partitions.ts"
import { countLost, type PartitionState, topicLag, type Watermarks } from "./topic-lag.ts"

const mostMessages = 10_000
/** How long to wait for the first message, in milliseconds. */
const pollMilliseconds = 100
/** How long messages of some partitions wait for those of others that deliver nothing. */
const mergeMilliseconds = 2000

/** Reads all partitions of a topic, from a position on and in the order of time, and knows how far behind it is. */
export class TopicReader {
  readonly #consumer: LibraryConsumer
  readonly #facts: TopicFacts
  readonly #ifChanged: string
  readonly #partitions = new Map<number, PartitionState>()
  readonly #merge: PartitionMerge
  /** By partition: the end when reading began, and the end that was last seen. */
  readonly #targets = new Map<number, number>()
  readonly #ends = new Map<number, number>()
  /** Since when messages wait for a partition that delivers nothing. */
  #waitsSince = Number.POSITIVE_INFINITY
  #lost = 0

  /** `ifChanged`: what to do if the topic is not the one that was read before. */
  constructor(consumer: LibraryConsumer, { facts, ifChanged }: { facts: TopicFacts; ifChanged: string }) {
    this.#consumer = consumer
    this.#facts = facts
    this.#ifChanged = ifChanged
    consumer.setDefaultConsumeTimeout(pollMilliseconds)
    consumer.setDefaultIsTimeoutOnlyForFirstMessage(true)
    const { topic } = facts
    this.#merge = new PartitionMerge({
      pause: (partition) => consumer.pause([{ topic, partition }]),
      resume: (partition) => consumer.resume([{ topic, partition }]),
    })
    consumer.on("partition.eof", ({ partition, offset }) => {
      this.#merge.reachEnd(partition, offset)
      this.#ends.set(partition, offset)
    })
  }

  /**
   * Begins at a position, or without one at the beginning or the end of the topic. Returns the number of messages after
   * the position that the topic no longer has.
   */
  async begin(position: TopicPosition | undefined, start: "beginning" | "end"): Promise<number> {
    if (position !== undefined && position.topic !== this.#facts.id)
      throw this.#changed("it was deleted and created again, or is on another cluster")
    for (const partition of this.#facts.partitions) {
      const { low, high } = await this.#watermarks(partition)
      const isNew = position === undefined
      const next = position?.next[partition] ?? (isNew && start === "end" ? high : low)
      if (next > high) throw this.#changed(`partition ${partition} was cut`)
      this.#lost += Math.max(0, low - next)
      this.#open(partition, Math.max(next, low))
      this.#targets.set(partition, high)
    }
    this.#consumer.assign(this.#places())
    return this.#lost
  }

  /** The next messages in order, up to a limit; none if nothing arrives for a moment. Call `advance` with them. */
  async read(): Promise<KafkaMessage[]> {
    this.#skipMarkers()
    for (const message of await call<KafkaMessage[]>((done) => this.#consumer.consume(mostMessages, done)))
      this.#merge.add(message)
    const now = performance.now()
    const isHeldUp = this.#merge.isWaiting && !this.#merge.isEmpty
    this.#waitsSince = isHeldUp ? Math.min(this.#waitsSince, now) : Number.POSITIVE_INFINITY
    return this.#merge.take(mostMessages, { force: now - this.#waitsSince > mergeMilliseconds })
  }

  /** The position after these messages, which follow those before. */
  advance(messages: readonly KafkaMessage[]): TopicPosition {
    for (const { partition, offset, timestamp } of messages) {
      const state = this.#partitions.get(partition)
      if (state === undefined) continue
      if (offset < state.next) throw this.#changed(`partition ${partition} was cut or created again`)
      if (offset > state.next) state.gaps.push([state.next, offset])
      state.next = offset + 1
      state.readAt = timestamp
    }
    return this.position
  }

  /**
   * Offsets at the end without a message, such as the ends of transactions, count as read. Call it only when all
   * messages that were taken have been advanced over.
   */
  #skipMarkers(): void {
    for (const [partition, state] of this.#partitions)
      state.next = Math.max(state.next, this.#merge.restOf(partition) ?? 0)
  }

  /** Refuses a topic that is not the one that reading began with, and begins with partitions that were added. */
  look({ id, partitions }: Pick<TopicFacts, "id" | "partitions">): void {
    if (id !== this.#facts.id) throw this.#changed("it was deleted and created again")
    for (const partition of partitions) {
      if (this.#partitions.has(partition)) continue
      this.#open(partition, 0)
      this.#consumer.incrementalAssign([{ topic: this.#facts.topic, partition, offset: 0 }])
    }
  }

  #changed(what: string): QueryveilError {
    return new QueryveilError(
      "input-changed",
      [
        `kafka topic ${this.#facts.topic}: ${what}, so its offsets mean something else than those in the store.`,
        this.#ifChanged,
      ].join(" "),
    )
  }

  /** True if everything that was there at the beginning has been read. */
  get isAtEnd(): boolean {
    if (!this.#merge.isEmpty) return false
    for (const [partition, target] of this.#targets) {
      const { next = 0 } = this.#partitions.get(partition) ?? {}
      if (next < target && (this.#ends.get(partition) ?? 0) < target) return false
    }
    return true
  }

  get position(): TopicPosition {
    const next = Object.fromEntries([...this.#partitions].map(([partition, state]) => [partition, state.next]))
    return { topic: this.#facts.id, next }
  }

  /** Asks the brokers how far behind reading is. */
  async lag(input: string, now: number): Promise<InputLag> {
    const partitions: (PartitionState & Watermarks)[] = []
    for (const [partition, state] of this.#partitions) {
      const marks = await this.#watermarks(partition)
      this.#lost += countLost(state, marks)
      state.gaps = []
      partitions.push({ ...state, ...marks })
    }
    const kept = Number(this.#facts.settings?.["retention.ms"] ?? -1)
    return topicLag(input, { partitions, lost: this.#lost, now, retention: kept < 0 ? undefined : kept })
  }

  #open(partition: number, next: number): void {
    this.#partitions.set(partition, { next, readAt: undefined, gaps: [] })
    this.#merge.open(partition, next)
  }

  #places(): PartitionOffset[] {
    const { topic } = this.#facts
    return [...this.#partitions].map(([partition, { next }]) => ({ topic, partition, offset: next }))
  }

  async #watermarks(partition: number): Promise<Watermarks> {
    const { lowOffset, highOffset } = await callAgain<{ lowOffset: number; highOffset: number }>((done) =>
      this.#consumer.queryWatermarkOffsets(this.#facts.topic, partition, patience, done),
    )
    return { low: lowOffset, high: highOffset }
  }
}
