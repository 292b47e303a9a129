import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"
import {
  call,
  type LibraryConsumer,
  type LibraryError,
  type LibraryProducer,
  type PartitionOffset,
} from "./kafka-library.ts"
import { patience } from "./kafka-link.ts"

/** A transaction is committed when it has this many messages or bytes. */
const mostMessages = 100_000
const mostBytes = 16 << 20
const queueFull = -184
const fenced = new Set([-144, 47, 90]) // ERR__FENCED, INVALID_PRODUCER_EPOCH, PRODUCER_FENCED

/** Messages of one transaction, kept until it is committed. */
interface Chunk {
  bytes: Buffer
  ends: Uint32Array
  from: number
  timestamp: number
}

/**
 * Writes messages to a topic in transactions. Each transaction also commits offsets: whoever reads them after a crash
 * finds those of the last transaction that readers can see. A transaction that a broker gives up is sent again.
 */
export class TransactionalWriter {
  readonly #producer: LibraryProducer
  readonly #topic: string
  /** Its group is that of the committed offsets. */
  readonly #consumer: LibraryConsumer
  readonly #warn: (text: string) => void
  #chunks: Chunk[] = []
  #messages = 0
  #size = 0
  #isOpen = false

  constructor(options: {
    producer: LibraryProducer
    consumer: LibraryConsumer
    topic: string
    warn(text: string): void
  }) {
    this.#producer = options.producer
    this.#consumer = options.consumer
    this.#topic = options.topic
    this.#warn = options.warn
  }

  /** True if the open transaction is large enough to be committed. */
  get isLarge(): boolean {
    return this.#messages >= mostMessages || this.#size >= mostBytes
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Adds records to the open transaction, from the record at `from` on. A record ends with a line feed. */
  async add(bytes: Uint8Array, options: { ends: Uint32Array; from: number; timestamp: number }): Promise<void> {
    const chunk = { ...options, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }
    if (!this.#isOpen) {
      await this.#settle(() => call((done) => this.#producer.beginTransaction(done)))
      this.#isOpen = true
    }
    this.#chunks.push(chunk)
    this.#messages += chunk.ends.length - chunk.from
    this.#size += chunk.bytes.length
    await this.#produce(chunk)
  }

  /** Commits the open transaction, or an empty one, together with the offsets. */
  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    if (!this.#isOpen) await this.#settle(() => call((done) => this.#producer.beginTransaction(done)))
    this.#isOpen = true
    for (;;) {
      try {
        await this.#settle(() =>
          call((done) => this.#producer.sendOffsetsToTransaction(offsets, this.#consumer, patience, done)),
        )
        await this.#settle(() => call((done) => this.#producer.commitTransaction(patience, done)))
        break
      } catch (error) {
        if (!mustAbort(error)) throw this.#failure(error)
        this.#warn(`kafka topic ${this.#topic}: a transaction failed (${messageOf(error)}). It is sent again.`)
        await this.#sendAgain()
      }
    }
    this.#isOpen = false
    this.#chunks = []
    this.#messages = 0
    this.#size = 0
  }

  async #sendAgain(): Promise<void> {
    for (;;) {
      try {
        await this.#settle(() => call((done) => this.#producer.abortTransaction(patience, done)))
        await this.#settle(() => call((done) => this.#producer.beginTransaction(done)))
        for (const chunk of this.#chunks) await this.#produce(chunk)
        return
      } catch (error) {
        if (!mustAbort(error)) throw this.#failure(error)
        await wait(1000)
      }
    }
  }

  async #produce({ bytes, ends, from, timestamp }: Chunk): Promise<void> {
    for (let at = from; at < ends.length; at++) {
      const record = bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at] - 1)
      for (;;) {
        try {
          this.#producer.produce(this.#topic, null, record, null, timestamp)
          break
        } catch (error) {
          if (!isLibraryError(error) || error.code !== queueFull) {
            if (mustAbort(error)) return // the commit fails, and then everything is sent again
            throw this.#failure(error)
          }
          await wait(5)
        }
      }
    }
  }

  /** Repeats a step until it succeeds or fails for another reason than a broker that does not answer. */
  async #settle(step: () => Promise<unknown>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await step()
        return
      } catch (error) {
        if (!isLibraryError(error) || error.isFatal || error.isTxnRequiresAbort || error.isRetriable !== true)
          throw error
        if (tries === 0) this.#warn(`kafka topic ${this.#topic}: ${error.message}. Trying again until it answers.`)
        await wait(Math.min(5000, 100 * 2 ** Math.min(tries, 6)))
      }
    }
  }

  #failure(error: unknown): QueryveilError {
    if (isLibraryError(error) && fenced.has(error.code))
      return new QueryveilError(
        "kafka-claimed",
        [
          `kafka topic ${this.#topic}: another stream has begun to write it, so this one stops.`,
          "Nothing is lost: what was not written is in the store. Run one stream per topic.",
        ].join(" "),
        { cause: error },
      )
    return new QueryveilError(
      "kafka-unreachable",
      `kafka topic ${this.#topic}: cannot be written (${messageOf(error)}). What is missing is in the store.`,
      { cause: error },
    )
  }
}

const isLibraryError = (error: unknown): error is LibraryError => error instanceof Error && "code" in error
const mustAbort = (error: unknown) => isLibraryError(error) && error.isTxnRequiresAbort === true && !error.isFatal
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
