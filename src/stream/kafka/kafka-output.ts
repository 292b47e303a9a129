import type { OutputStart, StreamOutput, WrittenRecords } from "../live/transport.ts"
import type { InputPositions } from "../store/positions.ts"
import type { OutputContext } from "../transports/transport.ts"
import { claimedBy, claimedElsewhere, claimText } from "./claim.ts"
import { call, callAgain, type LibraryConsumer, type PartitionOffset } from "./kafka-library.ts"
import { groupOf, KafkaLink, patience, unreachable } from "./kafka-link.ts"
import type { KafkaPlace } from "./kafka-place.ts"
import { lastRelease } from "./last-release.ts"
import { countByTopic, resumeOutput } from "./resume-output.ts"
import { type Chunk, ProducerLost, TransactionalWriter } from "./transactional-writer.ts"

/** A transaction is committed after this time, even if it is small. */
const commitMilliseconds = 50
/** How often a refused producer is replaced before the stream stops. */
const mostRenewals = 5
/** A note next to an offset may be this long in a cluster with usual settings. */
const longestNote = 4000
/** Milliseconds to which the stamp of a message is cut. It tells no more than the times of releases. */
export const stampUnits = { hour: 3_600_000, day: 86_400_000, drop: 86_400_000, exact: 1, own: 1 }

/**
 * A topic that has every release exactly once, for readers of committed messages. Each transaction carries the number
 * of releases so far, as the committed offset of a consumer group. After a crash, releases below that number are not
 * sent again. The journal has the others, with the same bytes.
 *
 * A message is one record without its line feed. It has no key and no headers. Its timestamp is the present, cut to
 * what `--time` shows, so that a stored message does not say when exactly its cell closed.
 */
export class KafkaOutput implements StreamOutput {
  readonly exact = true
  readonly isUnordered = true
  readonly #place: KafkaPlace
  readonly #context: OutputContext & { report(error: unknown): void }
  readonly #group: string
  #writer: TransactionalWriter | undefined
  #reader: LibraryConsumer | undefined
  /** Opens a writer, and ends what an earlier one left open. */
  #renew: (() => Promise<TransactionalWriter>) | undefined
  /** Disconnects each client that is open. */
  readonly #clients: (() => Promise<unknown>)[] = []
  #store = ""
  #timeUnit = 1
  /** Number of releases that are in the topic or in the open transaction, and of those that are committed. */
  #releases = 0
  #committed = 0
  #positions: InputPositions = {}
  /** Steps run one after another. */
  #work: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  /** `report` is called when a transaction fails between two writes. */
  constructor(place: KafkaPlace, context: OutputContext & { report(error: unknown): void }) {
    this.#place = place
    this.#context = context
    this.#group = groupOf(place.topic, "output")
  }

  async open(start: OutputStart): Promise<void> {
    try {
      await this.#open(start)
    } catch (error) {
      this.#failure ??= error
      await this.close()
      throw error
    }
  }

  async #open(start: OutputStart): Promise<void> {
    const { topic } = this.#place
    const link = await KafkaLink.open(this.#place, this.#context)
    const { partitions, isEmpty } = await this.#glance(link, start)
    const consumer = await link.consumer(this.#group, "read_committed")
    this.#clients.push(() => call((done) => consumer.disconnect(done)))
    this.#reader = consumer
    this.#store = start.store
    this.#timeUnit = stampUnits[start.time]
    this.#renew = () => this.#openWriter(link, consumer)
    const writer = await this.#renew()
    const mark = await this.#readMark(consumer)
    const found = resumeOutput(topic, { mark, start, group: this.#group, isEmpty, force: this.#context.force })
    this.#releases = found ?? (await this.#countByTopic(consumer, { partitions, start }))
    await writer.commit(this.#offsets())
    this.#committed = this.#releases
    this.#writer = writer
  }

  /** Ends the transaction that a crash left open. From here on no earlier process can write. */
  async #openWriter(link: KafkaLink, consumer: LibraryConsumer): Promise<TransactionalWriter> {
    const { topic } = this.#place
    const producer = await link.transactionalProducer(`queryveil.${topic}`)
    this.#clients.push(() => call((done) => producer.disconnect(patience, done)))
    await callAgain((done) => producer.initTransactions(patience * 2, done)).catch((cause) => {
      throw unreachable(this.#place, cause)
    })
    return new TransactionalWriter({ producer, consumer, topic, warn: this.#context.warn })
  }

  /** What the topic itself says, if the cluster has forgotten how far the stream had come. */
  async #countByTopic(
    consumer: LibraryConsumer,
    { partitions, start }: { partitions: readonly number[]; start: OutputStart },
  ): Promise<number> {
    const { topic } = this.#place
    const last = await lastRelease(consumer, { topic, partitions })
    if (last < 0 && start.due > 0)
      this.#context.warn(
        [
          `kafka topic ${topic}: is empty, and the cluster has forgotten how far this stream had come.`,
          `Releases ${start.releases} to ${start.releases + start.due - 1} are sent again, as they were.`,
        ].join(" "),
      )
    return countByTopic(topic, { last, start })
  }

  write(bytes: Uint8Array, { ends, last, positions }: WrittenRecords): Promise<void> {
    return this.#step(async () => {
      const writer = this.#opened()
      const from = Math.max(0, this.#releases - (last + 1 - ends.length))
      if (from >= ends.length) return // a header, or releases that the topic has
      const timestamp = Math.floor(Date.now() / this.#timeUnit) * this.#timeUnit
      this.#releases = last + 1
      this.#positions = positions
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      await this.#goingOn(() => writer.add({ bytes: whole, ends, from, next: last + 1, timestamp }))
      if (this.#opened().isLarge) await this.#commit()
      else
        this.#timer ??= setTimeout(
          () => this.#step(() => this.#commit()).catch(this.#context.report),
          commitMilliseconds,
        )
    })
  }

  settle(): Promise<void> {
    return this.#step(() => this.#commit())
  }

  async close(): Promise<void> {
    try {
      if (this.#writer !== undefined && this.#failure === undefined) await this.settle()
    } finally {
      clearTimeout(this.#timer)
      for (const disconnect of this.#clients.splice(0).reverse()) await disconnect().catch(() => {})
    }
  }

  /** Refuses a topic of another stream, before that stream is cut off. Does not wait for its transactions. */
  async #glance(link: KafkaLink, start: OutputStart): Promise<{ partitions: readonly number[]; isEmpty: boolean }> {
    const { topic } = this.#place
    const consumer = await link.consumer(this.#group, "read_uncommitted")
    try {
      const { partitions } = await link.topic(consumer, { as: "output", time: start.time })
      const mark = await this.#readMark(consumer)
      const isEmpty = mark.store !== undefined || (await isEmptyTopic(consumer, { topic, partitions }))
      resumeOutput(topic, { mark, start, group: this.#group, isEmpty, force: this.#context.force })
      return { partitions, isEmpty }
    } finally {
      await call((done) => consumer.disconnect(done)).catch(() => {})
    }
  }

  #opened(): TransactionalWriter {
    if (this.#writer === undefined) throw new Error("the output is not open")
    return this.#writer
  }

  /** Runs a step after those before it. After a failure nothing is written any more. */
  #step(step: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => {
      if (this.#failure !== undefined) throw this.#failure
      return step()
    })
    this.#work = done.catch((error) => {
      this.#failure ??= error
    })
    return done
  }

  async #commit(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#opened().isOpen) return
    await this.#goingOn(() => this.#opened().commit(this.#offsets()))
    this.#committed = this.#releases
  }

  /** Does a step. If the brokers no longer accept the producer, a new one sends the open transaction again. */
  async #goingOn(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      if (!(error instanceof ProducerLost)) throw error
      const { chunks } = this.#opened()
      let lost = error
      for (let tries = 0; tries < mostRenewals; tries++) {
        const again = await this.#sendByAnother(chunks, lost)
        if (again === undefined) return
        lost = again
      }
      throw unreachable(this.#place, lost)
    }
  }

  /**
   * Sends a transaction by a new producer, and commits it. The old one was refused because its transaction took too
   * long, or because another stream has taken over; then this one stops. Returns the error if the new one is refused
   * too.
   */
  async #sendByAnother(chunks: readonly Chunk[], lost: ProducerLost): Promise<ProducerLost | undefined> {
    const { topic } = this.#place
    const [renew, reader] = [this.#renew, this.#reader]
    if (renew === undefined || reader === undefined) throw new Error("the output is not open")
    this.#context.warn(`kafka topic ${topic}: the brokers refuse the producer (${lost.message}). A new one goes on.`)
    await this.#clients
      .pop()?.()
      .catch(() => {})
    const writer = await renew()
    const mark = await this.#readMark(reader)
    if (mark.store !== this.#store || ![this.#committed, this.#releases].includes(mark.releases))
      throw claimedElsewhere(topic, { group: this.#group, store: mark.store ?? "unknown", does: "writes" })
    this.#writer = writer
    try {
      for (const { ends, next, ...chunk } of chunks) {
        const from = Math.max(chunk.from, mark.releases - (next - ends.length))
        if (from < ends.length) await writer.add({ ...chunk, ends, next, from })
      }
      await writer.commit(this.#offsets())
      this.#committed = this.#releases
      return undefined
    } catch (error) {
      if (error instanceof ProducerLost) return error
      throw error
    }
  }

  /** The number of releases, noted as the offset of partition 0, with the store and the positions of Kafka inputs. */
  #offsets(): PartitionOffset[] {
    const kafka = Object.entries(this.#positions).filter(([name]) => name.startsWith("kafka:"))
    const positions = kafka.length === 0 ? "" : JSON.stringify(Object.fromEntries(kafka))
    const note = claimText(this.#store, positions)
    const metadata = note.length <= longestNote ? note : claimText(this.#store)
    return [{ topic: this.#place.topic, partition: 0, offset: this.#releases, metadata }]
  }

  async #readMark(consumer: LibraryConsumer) {
    const asked = [{ topic: this.#place.topic, partition: 0 }]
    const [found] = await callAgain<PartitionOffset[]>((done) => consumer.committed(asked, patience, done)).catch(
      (cause) => {
        throw unreachable(this.#place, cause)
      },
    )
    return { store: found === undefined ? undefined : claimedBy(found), releases: found?.offset ?? 0 }
  }
}

async function isEmptyTopic(
  consumer: LibraryConsumer,
  { topic, partitions }: { topic: string; partitions: readonly number[] },
): Promise<boolean> {
  for (const partition of partitions) {
    const { lowOffset, highOffset } = await call<{ lowOffset: number; highOffset: number }>((done) =>
      consumer.queryWatermarkOffsets(topic, partition, patience, done),
    )
    if (highOffset > lowOffset) return false
  }
  return true
}
