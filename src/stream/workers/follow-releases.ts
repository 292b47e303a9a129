import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { KafkaMessage, LibraryConsumer } from "../kafka/kafka-library.ts"
import { type KafkaLink, unreachable } from "../kafka/kafka-link.ts"
import type { KafkaPlace } from "../kafka/kafka-place.ts"
import { positionFrom, positionText } from "../kafka/kafka-position.ts"
import { TopicReader } from "../kafka/topic-reader.ts"
import { settingsText } from "../live/settings.ts"
import type { InputLag } from "../live/stream-figures.ts"
import type { FollowedProfiles } from "../store/followed-profiles.ts"
import { GainsBuilder } from "../store/profile-gains.ts"
import type { TransportMessages } from "../transports/transport.ts"
import type { PartitionPlace } from "./partition-client.ts"
import type { PlanWatch } from "./plan-topic.ts"
import { releasedReader, type ShownSearch } from "./released-message.ts"
import type { MeasuredClient, PartitionMeter } from "./worker-meter.ts"

/** How often new plans and partitions are looked for, and the lag is measured. */
const lookMilliseconds = 5000
/** How many of these pass before the partitions are looked up, if there is no new plan. */
const looksPerIdentity = 6
const quietMilliseconds = 60_000
/** How many releases are counted in memory before they are written. */
const mostInMemory = 1 << 20

const ifChanged = "Give an empty folder as --store: the releases that the topic has are counted again."

export interface FollowParts extends TransportMessages {
  /** The topic of releases. */
  place: KafkaPlace
  link: KafkaLink
  plans: PlanWatch
  taxonomy: Taxonomy
  profiles: FollowedProfiles
  meter: PartitionMeter
  /** Seconds between checkpoints. */
  checkpoint: number
}

/**
 * Counts what a group of workers releases under each user. Each release is counted once: the counts and the position
 * behind them become durable in one step, and only committed messages are read.
 */
export class ReleaseFollower {
  readonly #parts: FollowParts
  readonly #consumer: LibraryConsumer
  readonly #reader: TopicReader
  readonly #read: (value: Buffer | null) => ShownSearch | undefined
  readonly #clients = new Map<number, MeasuredClient>()
  /** By path of a category: its node. */
  readonly #nodes = new Map<string, number>()
  readonly #lostBefore: number
  #gains = new GainsBuilder()
  #epoch: number
  #kept = performance.now()
  #lag: InputLag | undefined
  #isLooking = false
  #looks = 0
  #lookedAt = performance.now()
  #isAlarmed = false
  #failure: { error: unknown } | undefined
  /** Releases that were counted, also those that are not yet in the store. */
  releases: number

  private constructor(parts: FollowParts, consumer: LibraryConsumer, reader: TopicReader) {
    this.#parts = parts
    this.#consumer = consumer
    this.#reader = reader
    this.#read = releasedReader(parts.plans.current.settings)
    this.#epoch = parts.plans.current.epoch
    this.#lostBefore = parts.profiles.soFar.lost
    this.releases = parts.profiles.soFar.releases
  }

  /** Begins where the store ends, or with the oldest release that the topic has. */
  static async open(parts: FollowParts, consumer: LibraryConsumer): Promise<ReleaseFollower> {
    const { place, link, profiles, warn } = parts
    const facts = await link.topic(consumer, { as: "input" })
    const reader = new TopicReader(consumer, { facts, ifChanged })
    const { position } = profiles.soFar
    const lost = await asking(place, reader.begin(position === "" ? undefined : positionFrom(position), "beginning"))
    const follower = new ReleaseFollower(parts, consumer, reader)
    if (lost > 0) warn(lostText(place.topic, lost))
    if (position === "") {
      const before = Object.values(reader.position.next).reduce((sum, next) => sum + next, 0)
      if (before > 0) warn(earlierText(place.topic, before))
    }
    follower.#lag = { input: place.topic, messages: 0, seconds: 0, lost, alarm: false }
    follower.#measurePartitions()
    await follower.#keep() // from now on it is known which topic is counted
    return follower
  }

  /** The partitions that are read. */
  get partitions(): PartitionPlace[] {
    return [...this.#clients.keys()].map((partition) => ({ topic: this.#parts.place.topic, partition }))
  }

  /** Releases that are not counted, when the brokers were last asked. */
  get lag(): number {
    return this.#lag?.messages ?? 0
  }

  /** At most this many releases were deleted before they were counted. */
  get lost(): number {
    return this.#lostBefore + (this.#lag?.lost ?? 0)
  }

  /** Counts until the signal, or up to what there was at the start if the place says so. */
  async run(signal: AbortSignal): Promise<void> {
    const { place, checkpoint } = this.#parts
    const looking = setInterval(() => this.#look(), lookMilliseconds)
    try {
      while (!signal.aborted) {
        if (this.#failure !== undefined) throw this.#failure.error
        const messages = await asking(place, this.#reader.read())
        this.#count(messages)
        if (messages.length === 0 && place.stop === "end" && this.#reader.isAtEnd) break
        const isDue = performance.now() - this.#kept >= checkpoint * 1000
        if (isDue || this.#gains.records >= mostInMemory) await this.#keep(signal)
      }
      await this.#keep(signal)
      await Promise.race([this.#look(), wait(lookMilliseconds)])
    } finally {
      clearInterval(looking)
    }
  }

  #count(messages: readonly KafkaMessage[]): void {
    for (const { value, partition, offset } of messages) {
      const shown = this.#read(value)
      const node = shown === undefined ? -1 : this.#nodeOf(shown.category)
      if (shown === undefined || node < 0) throw foreign(this.#parts.place.topic, { partition, offset })
      this.#gains.add(shown.user, node)
      this.releases++
    }
    if (messages.length > 0) this.#reader.advance(messages)
  }

  #nodeOf(path: string): number {
    const known = this.#nodes.get(path) ?? this.#parts.taxonomy.find(path)
    this.#nodes.set(path, known)
    return known
  }

  /** Writes what was counted, and how far that goes. */
  async #keep(signal?: AbortSignal): Promise<void> {
    const { profiles, plans, warn } = this.#parts
    const began = performance.now()
    this.#kept = began
    const position = positionText(this.#reader.position)
    const settings = settingsText(plans.current.settings)
    const { soFar } = profiles
    if (soFar.position === position && soFar.settings === settings && soFar.lost === this.lost) return
    const gains = this.#gains
    this.#gains = new GainsBuilder()
    const now = { position, settings, releases: this.releases, lost: this.lost }
    const onFull = (isFull: boolean) => warn(isFull ? fullText : "There is room again.")
    await profiles.add(gains.build(), now, { onFull, ...(signal !== undefined && { signal }) })
    for (const client of this.#clients.values()) client.transacted?.(performance.now() - began)
  }

  /** Looks for a new plan and new partitions, and measures the lag. Trouble may pass. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { link, place, plans, warn, note } = this.#parts
    try {
      await plans.look()
      const { epoch } = plans.current
      if (epoch !== this.#epoch) note(`the group goes on under plan ${epoch}`)
      if (epoch !== this.#epoch || this.#looks++ % looksPerIdentity === 0) {
        this.#reader.look(await link.identity(this.#consumer))
        this.#measurePartitions()
        this.#epoch = epoch
      }
      const lag = await this.#reader.lag(place.topic, Date.now())
      this.#lag = lag
      if (lag.alarm && !this.#isAlarmed)
        warn(lag.lost > 0 ? lostText(place.topic, lag.lost) : lateText(place.topic, lag.seconds))
      this.#isAlarmed = lag.alarm
      this.#lookedAt = performance.now()
    } catch (error) {
      if (error instanceof QueryveilError && error.code !== "kafka-unreachable") this.#failure ??= { error }
      else if (performance.now() - this.#lookedAt > quietMilliseconds) {
        warn(`kafka topic ${place.topic}: its brokers do not say how far behind the profiles are. Trying again.`)
        this.#lookedAt = performance.now()
      }
    } finally {
      this.#isLooking = false
    }
  }

  #measurePartitions(): void {
    const { place, meter } = this.#parts
    for (const partition of Object.keys(this.#reader.position.next).map(Number)) {
      if (this.#clients.has(partition)) continue
      const client = this.#clientOf(partition)
      this.#clients.set(partition, client)
      meter.opened({ topic: place.topic, partition }, client)
    }
  }

  #clientOf(partition: number): MeasuredClient {
    const [consumer, reader, { topic }] = [this.#consumer, this.#reader, this.#parts.place]
    return {
      transacted: undefined,
      get lag() {
        const { lowOffset, highOffset } = consumer.getWatermarkOffsets(topic, partition)
        if (highOffset < 0) return undefined
        return Math.max(0, highOffset - Math.max(lowOffset, reader.position.next[partition] ?? 0))
      },
    }
  }
}

async function asking<T>(place: KafkaPlace, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw cause instanceof QueryveilError ? cause : unreachable(place, cause)
  }
}

const foreign = (topic: string, { partition, offset }: { partition: number; offset: number }) =>
  new QueryveilError(
    "kafka-message",
    [
      `kafka topic ${topic}, partition ${partition}, offset ${offset}: not a release of this group.`,
      "Use the version of queryveil that the swappers have. Let nobody else write this topic.",
    ].join(" "),
  )

const lostText = (topic: string, messages: number) =>
  [
    `kafka topic ${topic}: messages that were deleted before they were counted: ${messages}.`,
    "Profiles lack them. Let the topic keep messages for longer (retention.ms).",
  ].join(" ")

const earlierText = (topic: string, messages: number) =>
  [
    `kafka topic ${topic}: its first ${messages} messages were deleted before these profiles were begun.`,
    "Profiles lack them.",
  ].join(" ")

const lateText = (topic: string, seconds: number) =>
  [
    `kafka topic ${topic}: profiles are ${Math.round(seconds / 60)} minutes behind,`,
    "more than half of the time for which the topic keeps messages. Let it keep them for longer (retention.ms).",
  ].join(" ")

const fullText = "The disk of the store is full. Counting waits until there is room."
