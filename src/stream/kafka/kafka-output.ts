import type { OutputStart, StreamOutput, WrittenRecords } from "../live/transport.ts"
import type { InputPositions } from "../store/positions.ts"
import type { OutputContext } from "../transports/transport.ts"
import { claimedBy, claimText } from "./claim.ts"
import { call, callGroup, type LibraryConsumer, type PartitionOffset } from "./kafka-library.ts"
import { groupOf, KafkaLink, patience, unreachable } from "./kafka-link.ts"
import type { KafkaPlace } from "./kafka-place.ts"
import { lastRelease } from "./last-release.ts"
import { acceptCount, resumeOutput } from "./resume-output.ts"
import { TransactionalWriter } from "./transactional-writer.ts"

/** A transaction is committed after this time, even if it is small. */
const commitMilliseconds = 50
/** A note next to an offset may be this long in a cluster with usual settings. */
const longestNote = 4000
const timeUnits = { hour: 3_600_000, day: 86_400_000, drop: 86_400_000, exact: 1, own: 1 }

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
  /** Disconnects each client that is open. */
  readonly #clients: (() => Promise<unknown>)[] = []
  #store = ""
  #timeUnit = 1
  /** Number of releases that are in the topic or in the open transaction. */
  #releases = 0
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
    const { warn, force } = this.#context
    const link = await KafkaLink.open(this.#place, this.#context)
    const { partitions, isEmpty } = await this.#glance(link, start)
    const consumer = await link.consumer(this.#group, "read_committed")
    this.#clients.push(() => call((done) => consumer.disconnect(done)))
    const producer = await link.producer(`queryveil.${topic}`)
    this.#clients.push(() => call((done) => producer.disconnect(patience, done)))
    const writer = new TransactionalWriter({ producer, consumer, topic, warn })
    // Ends the transaction that a crash left open. From here on no earlier process can write.
    await call((done) => producer.initTransactions(patience * 2, done)).catch((cause) => {
      throw unreachable(this.#place, cause)
    })
    const settled = await this.#readMark(consumer)
    const found = resumeOutput(topic, { mark: settled, start, group: this.#group, isEmpty, force })
    this.#releases =
      found ?? acceptCount(`kafka topic ${topic}`, (await lastRelease(consumer, { topic, partitions })) + 1, start)
    this.#store = start.store
    this.#timeUnit = timeUnits[start.time]
    await writer.commit(this.#offsets())
    this.#writer = writer
  }

  write(bytes: Uint8Array, { ends, last, positions }: WrittenRecords): Promise<void> {
    return this.#step(async () => {
      const writer = this.#opened()
      const from = Math.max(0, this.#releases - (last + 1 - ends.length))
      if (from >= ends.length) return // a header, or releases that the topic has
      const timestamp = Math.floor(Date.now() / this.#timeUnit) * this.#timeUnit
      this.#releases = last + 1
      this.#positions = positions
      await writer.add(bytes, { ends, from, timestamp })
      if (writer.isLarge) await this.#commit()
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
    const writer = this.#opened()
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (writer.isOpen) await writer.commit(this.#offsets())
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
    const [found] = await callGroup<PartitionOffset[]>((done) => consumer.committed(asked, patience, done)).catch(
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
    const { highOffset } = await call<{ highOffset: number }>((done) =>
      consumer.queryWatermarkOffsets(topic, partition, patience, done),
    )
    if (highOffset > 0) return false
  }
  return true
}
