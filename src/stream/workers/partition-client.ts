import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"
import {
  call,
  callAgain,
  endCalls,
  type KafkaMessage,
  type LibraryConsumer,
  type LibraryProducer,
} from "../kafka/kafka-library.ts"
import { type KafkaLink, patience, transactionMilliseconds } from "../kafka/kafka-link.ts"

/** How long to wait for the next message, in milliseconds: longer and longer while none arrives. */
const [firstWait, longestWait] = [2, 64]
const [timedOut, queueFull] = [-185, -184]
/** A transaction with more bytes may take longer than a commit waits. So its messages are delivered first. */
const largeTransaction = 8 << 20
/** The largest message of a worker. Its topics are created with this limit. */
export const largestMessage = 16 << 20
/** Offset that means the first message there is. */
const firstOffset = -2

/** A message to be sent. */
export interface OutgoingMessage {
  topic: string
  partition: number
  key?: string
  value: Buffer | null
  timestamp?: number
}

/** A partition of a topic. */
export interface PartitionPlace {
  topic: string
  partition: number
}

/**
 * The connection of a worker for one partition that it reads: a producer with the partition's own transactional id, and
 * a consumer. Opening it cuts off an earlier owner of the partition and ends its open transaction. After that, what is
 * committed does not change but by this client, until the next owner opens one.
 *
 * If a transaction fails, the client is of no more use: what is committed must be read again by a new one.
 */
export class PartitionClient {
  readonly #producer: LibraryProducer
  readonly #consumer: LibraryConsumer
  readonly #input: PartitionPlace
  /** The partition that is being read, and its end when it was last reached. */
  #reading: PartitionPlace
  #end = -1
  #wait = firstWait
  /** The offset after the last message that was read, and the offset up to which everything is done. */
  #read = 0
  #done: number | undefined
  /** Is called after each transaction with the milliseconds that it took. */
  transacted: ((milliseconds: number) => void) | undefined
  /** Is called with the number of messages of the input that were deleted before they were read. */
  lost: ((messages: number) => void) | undefined

  private constructor(producer: LibraryProducer, consumer: LibraryConsumer, input: PartitionPlace) {
    this.#producer = producer
    this.#consumer = consumer
    this.#input = input
    this.#reading = input
    // Messages that have arrived, without waiting for more. A wait would take a thread from other partitions.
    consumer.setDefaultConsumeTimeout(0)
    consumer.setDefaultIsTimeoutOnlyForFirstMessage(false)
    consumer.on("partition.eof", ({ topic, partition, offset }) => {
      // An event of what was read before may come late.
      if (topic === this.#reading.topic && partition === this.#reading.partition) this.#end = offset
    })
  }

  /** `group` is the consumer group under which positions in the input are kept. */
  static async open(link: KafkaLink, input: PartitionPlace, group: string): Promise<PartitionClient> {
    const id = `${group}.${input.topic}.${input.partition}`
    const producer = await link.transactionalProducer(id, { "message.max.bytes": largestMessage })
    try {
      await callAgain((done) => producer.initTransactions(patience * 2, done))
      return new PartitionClient(producer, await link.consumer(group, "read_committed"), input)
    } catch (error) {
      producer.disconnect(1000, () => {})
      throw error
    }
  }

  /** The offset that was committed last, and the note next to it; no offset if none was. */
  async committed(): Promise<{ offset?: number; metadata?: string }> {
    const [found = {}] = await callAgain<{ offset?: number; metadata?: string }[]>((done) =>
      this.#consumer.committed([this.#input], patience, done),
    )
    return found
  }

  /** The offset of the first message that the input has. */
  async first(): Promise<number> {
    return (await this.#watermarks(this.#input)).lowOffset
  }

  /** Reads a whole partition: all messages up to its present end, or up to the signal. Call it before `begin`. */
  async readAll(
    place: PartitionPlace,
    { take, signal }: { take(message: KafkaMessage): void; signal: AbortSignal },
  ): Promise<void> {
    const { lowOffset, highOffset } = await this.#watermarks(place)
    if (highOffset <= lowOffset) return
    this.#assign(place, firstOffset)
    let next = lowOffset
    while (Math.max(next, this.#end) < highOffset && !signal.aborted)
      for (const message of await this.read(10_000)) {
        take(message)
        next = message.offset + 1
      }
  }

  /**
   * Begins to read the input at an offset. Returns how many messages were deleted before they were read. Refuses an
   * offset after the end: the input was cut or created again.
   */
  async begin(offset: number): Promise<number> {
    const { lowOffset, highOffset } = await this.#watermarks(this.#input)
    if (offset > highOffset) throw cutText(this.#input, { end: highOffset, read: offset })
    this.#done = Math.max(offset, lowOffset)
    this.#read = this.#done
    this.#assign(this.#input, this.#done)
    return Math.max(0, lowOffset - offset)
  }

  /** The next messages; none if nothing arrived for a moment. */
  async read(most: number): Promise<KafkaMessage[]> {
    const messages = await call<KafkaMessage[]>((done) => this.#consumer.consume(most, done))
    const [first] = messages
    if (first !== undefined) {
      this.#wait = firstWait
      if (this.#reading === this.#input) this.#checkGap(first)
      this.#read = (messages.at(-1)?.offset ?? 0) + 1
    } else {
      await wait(this.#wait)
      this.#wait = Math.min(longestWait, this.#wait * 2)
    }
    return messages
  }

  /**
   * Messages of the input that are not done, by what the brokers said last; undefined before they did. Marks of
   * transactions count as messages until the end is reached.
   */
  get lag(): number | undefined {
    if (this.#done === undefined) return undefined
    const { lowOffset, highOffset } = this.#consumer.getWatermarkOffsets(this.#input.topic, this.#input.partition)
    if (highOffset < 0) return undefined
    // The end may be behind marks of transactions, which are never read.
    const done = this.#done < this.#read ? this.#done : Math.max(this.#done, this.#end)
    return Math.max(0, highOffset - Math.max(done, lowOffset))
  }

  /**
   * Sends messages in one transaction, which also commits the offset of the next message of the input, with a note.
   */
  async transact(
    messages: readonly OutgoingMessage[],
    { offset, metadata = "" }: { offset: number; metadata?: string },
  ): Promise<void> {
    const producer = this.#producer
    const began = performance.now()
    await call((done) => producer.beginTransaction(done))
    let bytes = 0
    for (const message of messages) {
      await this.#produce(message)
      bytes += message.value?.length ?? 0
    }
    if (bytes > largeTransaction) await this.#deliver(began)
    const offsets = [{ ...this.#input, offset, metadata }]
    await callAgain((done) => producer.sendOffsetsToTransaction(offsets, this.#consumer, patience, done))
    await call((done) => producer.commitTransaction(patience, done))
    this.#done = offset
    this.transacted?.(performance.now() - began)
  }

  /** Waits until the brokers have all messages, for as long as they keep the transaction open. */
  async #deliver(began: number): Promise<void> {
    for (;;) {
      try {
        await call((done) => this.#producer.flush(patience, done))
        return
      } catch (error) {
        const isLate = performance.now() - began > transactionMilliseconds
        if (isLate || !(error instanceof Error && "code" in error && error.code === timedOut)) throw error
      }
    }
  }

  /** Messages of the input are read in order, from where the last ended. */
  #checkGap({ topic, partition, offset }: KafkaMessage): void {
    if (offset < this.#read) throw cutText({ topic, partition }, { end: offset, read: this.#read })
    const { lowOffset } = this.#consumer.getWatermarkOffsets(topic, partition)
    // Marks of transactions leave gaps too, but not before the first message that is there.
    if (lowOffset > this.#read && offset >= lowOffset) this.lost?.(lowOffset - this.#read)
  }

  #assign(place: PartitionPlace, offset: number): void {
    this.#end = -1
    this.#reading = place
    this.#consumer.assign([{ ...place, offset }])
  }

  #watermarks({ topic, partition }: PartitionPlace): Promise<{ lowOffset: number; highOffset: number }> {
    return callAgain((done) => this.#consumer.queryWatermarkOffsets(topic, partition, patience, done))
  }

  async #produce({ topic, partition, key, value, timestamp }: OutgoingMessage): Promise<void> {
    for (;;) {
      try {
        const keyBytes = key === undefined ? null : Buffer.from(key)
        this.#producer.produce(topic, partition, value, keyBytes, timestamp ?? null)
        return
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === queueFull)) throw error
        await wait(5)
      }
    }
  }

  /** Disconnects. The brokers may not answer; the next owner of the partition does not need them to. */
  async close(): Promise<void> {
    this.#done = undefined // a closed client knows no lag
    await endCalls([
      call((done) => this.#consumer.disconnect(done)),
      call((done) => this.#producer.disconnect(1000, done)),
    ])
  }
}

/** The warning that messages of a partition are gone. */
export const lostText = ({ topic, partition }: PartitionPlace, messages: number) =>
  [
    `kafka topic ${topic}, partition ${partition}: messages that were deleted before they were read: ${messages}.`,
    "What they held is lost. Let the topic keep messages for longer (retention.ms).",
  ].join(" ")

const cutText = ({ topic, partition }: PartitionPlace, { end, read }: { end: number; read: number }) =>
  new QueryveilError(
    "input-changed",
    [
      `kafka topic ${topic}, partition ${partition}: was cut or created again after it was read`,
      `(it is at ${end}, and ${read} messages were read). Begin a new group of workers.`,
    ].join(" "),
  )
