import { QueryveilError } from "../../kernels/error.ts"
import type { LiveInput } from "../inputs/live-input.ts"
import type { LiveStream } from "../live/live-stream.ts"
import type { InputBatch } from "../live/transport.ts"
import type { InputContext } from "../transports/transport.ts"
import { claimedBy, claimedElsewhere, claimText } from "./claim.ts"
import { sendDeadLetters } from "./dead-letters.ts"
import {
  call,
  callGroup,
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
      let letters: LibraryProducer | undefined
      try {
        if (place.deadLetter !== undefined) letters = await link.producer()
        const reading = new TopicReading({ name, place, context, link, consumer, letters, stream })
        await reading.begin()
        await reading.run(signal)
      } finally {
        if (letters !== undefined) await call((done) => letters?.disconnect(patience, done)).catch(() => {})
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
  letters: LibraryProducer | undefined
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

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.#plans = new MessagePlans(parts.context.choice, parts.name)
  }

  async begin(): Promise<void> {
    const { name, place, context, link, consumer, stream } = this.#parts
    const facts = await link.topic(consumer, { as: "input" })
    await this.#refuseSecond(facts.partitions)
    const reader = new TopicReader(consumer, facts)
    const left = stream.resumed.positions[name]
    const lost = await this.#asking(reader.begin(left === undefined ? undefined : positionFrom(left), place.start))
    if (lost > 0) context.warn(lostText(place.topic, lost))
    this.#reader = reader
    this.#durable = reader.position
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
      await this.#look()
    } finally {
      clearInterval(looking)
    }
  }

  async #offer(messages: readonly KafkaMessage[]): Promise<void> {
    const { name, place, letters, stream } = this.#parts
    const position = this.#reading().position
    const batch: InputBatch = {
      ...this.#plans.read(messages),
      skipLines: 0,
      position: { input: name, at: positionText(position) },
    }
    if (letters !== undefined && place.deadLetter !== undefined)
      await this.#asking(sendDeadLetters(batch, messages, { producer: letters, topic: place.deadLetter }))
    const { room, receipt } = stream.offer(batch)
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

  /** Commits the durable position, and measures the lag. Trouble is not fatal: the store has the position. */
  async #look(): Promise<void> {
    const { name, place, context, link, consumer, stream } = this.#parts
    try {
      await this.#refuseSecond([...Object.keys(this.#durable?.next ?? {})].map(Number))
      await this.#commit()
      this.#reading().add(await link.partitions(consumer))
      const lag = await this.#reading().lag(name, Date.now())
      stream.noteLag(lag)
      if (lag.alarm && !this.#isAlarmed)
        context.warn(lag.lost > 0 ? lostText(place.topic, lag.lost) : lateText(place.topic, lag.seconds))
      this.#isAlarmed = lag.alarm
    } catch (error) {
      if (error instanceof QueryveilError && error.code === "kafka-claimed") this.#failure ??= { error }
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
    await this.#asking(callGroup((done) => consumer.commitCb(offsets, done)))
  }

  /** Refuses a topic that another stream reads. */
  async #refuseSecond(partitions: readonly number[]): Promise<void> {
    const { consumer, place, stream } = this.#parts
    const { topic } = place
    const asked = partitions.map((partition) => ({ topic, partition }))
    const found = await this.#asking(callGroup<PartitionOffset[]>((done) => consumer.committed(asked, patience, done)))
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
    `kafka topic ${topic}: ${messages} messages were deleted before they were read.`,
    "These searches are lost. Let the topic keep messages for longer (retention.ms).",
  ].join(" ")

const lateText = (topic: string, seconds: number) =>
  [
    `kafka topic ${topic}: the stream is ${Math.round(seconds / 60)} minutes behind,`,
    "more than half of the time for which the topic keeps messages. Let it keep them for longer (retention.ms).",
  ].join(" ")
