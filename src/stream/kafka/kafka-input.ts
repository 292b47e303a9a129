import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"
import type { LiveInput } from "../inputs/live-input.ts"
import type { LiveStream } from "../live/live-stream.ts"
import type { InputBatch } from "../live/transport.ts"
import type { InputContext } from "../transports/transport.ts"
import { claimedBy, claimedElsewhere, claimText } from "./claim.ts"
import { DeadLetters } from "./dead-letters.ts"
import {
  call,
  callAgain,
  type KafkaMessage,
  type LibraryConsumer,
  type LibraryProducer,
  type PartitionOffset,
} from "./kafka-library.ts"
import { groupOf, KafkaLink, patience, unreachable } from "./kafka-link.ts"
import type { KafkaPlace } from "./kafka-place.ts"
import { positionFrom, positionText, type TopicPosition } from "./kafka-position.ts"
import { MessagePlans } from "./message-plans.ts"
import { TopicReader } from "./topic-reader.ts"

/** How often offsets are committed and the lag is measured. */
const lookMilliseconds = 5000
/** How many of these pass before the topic and its partitions are looked up again. */
const looksPerIdentity = 6
const quietMilliseconds = 60_000
const ifChanged = "Start with a new store, and with start=end if searches were released before."
/** What ends the input when it is found while looking. */
const final = new Set(["kafka-claimed", "input-changed"])

/**
 * A topic of searches. The store keeps how far it was read, in the commit of the searches themselves, so that each is
 * taken once. The offsets that are committed to the cluster are for people who watch the lag, and note which store
 * reads the topic: a second stream would release the same searches in another way, so it is refused.
 */
export function kafkaInput(name: string, place: KafkaPlace, context: InputContext): LiveInput {
  return {
    async run(stream, signal) {
      const link = await KafkaLink.open(place, context)
      const consumer = await link.consumer(groupOf(place.topic, "input"), "read_committed")
      let producer: LibraryProducer | undefined
      try {
        if (place.deadLetter !== undefined) {
          await link.requireTopic(consumer, place.deadLetter)
          producer = await link.letterProducer()
        }
        const letters =
          producer === undefined || place.deadLetter === undefined
            ? undefined
            : new DeadLetters(producer, { topic: place.deadLetter, warn: context.warn })
        const reading = new TopicReading({ name, place, context, link, consumer, letters, stream })
        await reading.begin()
        await reading.run(signal)
      } finally {
        if (producer !== undefined) await call((done) => producer?.disconnect(patience, done)).catch(() => {})
        await call((done) => consumer.disconnect(done)).catch(() => {})
      }
    },
  }
}

interface ReadingParts {
  name: string
  place: KafkaPlace
  context: InputContext
  link: KafkaLink
  consumer: LibraryConsumer
  letters: DeadLetters | undefined
  stream: LiveStream
}

/** One run of an input: reads messages, offers them, and commits what is durable. */
class TopicReading {
  readonly #parts: ReadingParts
  readonly #plans: MessagePlans
  #reader: TopicReader | undefined
  /** The position that survives a crash. */
  #durable: TopicPosition | undefined
  #last: Promise<unknown> = Promise.resolve()
  #failure: { error: unknown } | undefined
  #isAlarmed = false
  #isLooking = false
  #looks = 0
  #lookedAt = performance.now()

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.#plans = new MessagePlans(parts.context.choice, parts.name)
  }

  async begin(): Promise<void> {
    const { name, place, context, link, consumer, stream } = this.#parts
    const facts = await link.topic(consumer, { as: "input" })
    await this.#refuseSecond(facts.partitions)
    const reader = new TopicReader(consumer, { facts, ifChanged })
    const left = stream.resumed.positions[name]
    const lost = await this.#asking(reader.begin(left === undefined ? undefined : positionFrom(left), place.start))
    if (lost > 0) context.warn(lostText(place.topic, lost))
    this.#reader = reader
    this.#durable = reader.position
    // A position of its own, so that a stream that stops before the first message does not begin elsewhere next time.
    if (left === undefined)
      await this.#hand({ bytes: new Uint8Array(1), length: 0, plan: this.#plans.anyPlan() }, reader.position)
    await this.#last
    await this.#commit()
    context.note(`listening on ${name}`)
  }

  async run(signal: AbortSignal): Promise<void> {
    const { place } = this.#parts
    const reader = this.#reading()
    const looking = setInterval(() => this.#look(), lookMilliseconds)
    try {
      while (!signal.aborted) {
        if (this.#failure !== undefined) throw this.#failure.error
        const messages = await this.#asking(reader.read())
        if (messages.length > 0) await this.#offer(messages)
        else if (place.stop === "end" && reader.isAtEnd) break
      }
      await this.#last
      await Promise.race([this.#look(), wait(lookMilliseconds)])
    } finally {
      clearInterval(looking)
    }
  }

  async #offer(messages: readonly KafkaMessage[]): Promise<void> {
    const { letters } = this.#parts
    for (const { messages: own, ...lines } of this.#plans.read(messages)) {
      await letters?.send({ ...lines, skipLines: 0 }, own)
      await this.#hand(lines, this.#reading().advance(own))
    }
  }

  /** Hands a batch to the stream. Resolves when the next may follow. */
  async #hand(lines: Pick<InputBatch, "bytes" | "length" | "plan">, position: TopicPosition): Promise<void> {
    const { name, stream } = this.#parts
    const at = positionText(position)
    const { bytes, length, plan } = lines
    const { room, receipt } = stream.offer({ bytes, length, plan, skipLines: 0, position: { input: name, at } })
    this.#last = receipt.then(
      () => {
        this.#durable = position
      },
      (error) => {
        this.#failure ??= { error }
      },
    )
    await room
  }

  /** Commits the durable position, and measures the lag. Trouble may pass: the store has the position. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { name, place, context, link, consumer, stream } = this.#parts
    try {
      await this.#refuseSecond(Object.keys(this.#durable?.next ?? {}).map(Number))
      await this.#commit()
      if (this.#looks++ % looksPerIdentity === 0) this.#reading().look(await link.identity(consumer))
      const lag = await this.#reading().lag(name, Date.now())
      stream.noteLag(lag)
      if (lag.alarm && !this.#isAlarmed)
        context.warn(lag.lost > 0 ? lostText(place.topic, lag.lost) : lateText(place.topic, lag.seconds))
      this.#isAlarmed = lag.alarm
      this.#lookedAt = performance.now()
    } catch (error) {
      if (error instanceof QueryveilError && final.has(error.code)) this.#failure ??= { error }
      else if (performance.now() - this.#lookedAt > quietMilliseconds) {
        context.warn(`kafka topic ${place.topic}: its brokers do not say how far behind the stream is. Trying again.`)
        this.#lookedAt = performance.now()
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #commit(): Promise<void> {
    const { consumer, place, stream } = this.#parts
    const metadata = claimText(stream.store)
    const offsets = Object.entries(this.#durable?.next ?? {}).map(([partition, offset]) => ({
      topic: place.topic,
      partition: Number(partition),
      offset,
      metadata,
    }))
    await this.#asking(callAgain((done) => consumer.commitCb(offsets, done)))
  }

  /** Refuses a topic that another stream reads. */
  async #refuseSecond(partitions: readonly number[]): Promise<void> {
    const { consumer, place, stream } = this.#parts
    const { topic } = place
    const asked = partitions.map((partition) => ({ topic, partition }))
    const found = await this.#asking(callAgain<PartitionOffset[]>((done) => consumer.committed(asked, patience, done)))
    const other = found.map(claimedBy).find((store) => store !== undefined && store !== stream.store)
    if (other !== undefined)
      throw claimedElsewhere(topic, { group: groupOf(topic, "input"), store: other, does: "reads" })
  }

  #reading(): TopicReader {
    if (this.#reader === undefined) throw new Error("the topic is not open")
    return this.#reader
  }

  async #asking<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (cause) {
      throw cause instanceof QueryveilError ? cause : unreachable(this.#parts.place, cause)
    }
  }
}

const lostText = (topic: string, messages: number) =>
  [
    `kafka topic ${topic}: messages that were deleted before they were read: ${messages}.`,
    "These searches are lost. Let the topic keep messages for longer (retention.ms).",
  ].join(" ")

const lateText = (topic: string, seconds: number) =>
  [
    `kafka topic ${topic}: the stream is ${Math.round(seconds / 60)} minutes behind,`,
    "more than half of the time for which the topic keeps messages. Let it keep them for longer (retention.ms).",
  ].join(" ")
