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
/** Errors of `produce` in a transaction that has failed already. The commit says why. */
const failedBefore = new Set([-172, -150])
/** Errors that do not pass: a message or its timestamp is refused, or the right to write is missing. */
const lasting = new Set([10, 12, 29, 30, 32])
const [firstPause, longestPause, quietMilliseconds] = [100, 5000, 60_000]

/** Records of one transaction, kept until it is committed. */
export interface Chunk {
  bytes: Buffer
  /** Where each record ends, and which is the first to send. */
  ends: Uint32Array
  from: number
  /** The number of the record after the last. */
  next: number
  timestamp: number
}

/** Thrown if the brokers no longer accept this producer. Another one can go on with the chunks. */
export class ProducerLost extends Error {}

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
  #warnedAt = Number.NEGATIVE_INFINITY

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

  /** The records of the open transaction. */
  get chunks(): readonly Chunk[] {
    return this.#chunks
  }

  /** Adds records to the open transaction. A record ends with a line feed. */
  async add(chunk: Chunk): Promise<void> {
    this.#chunks.push(chunk)
    this.#messages += chunk.ends.length - chunk.from
    this.#size += chunk.bytes.length
    if (!this.#isOpen) {
      await this.#settle(() => call((done) => this.#producer.beginTransaction(done)))
      this.#isOpen = true
    }
    await this.#produce(chunk)
  }

  /** Commits the open transaction, or an empty one, together with the offsets. */
  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    if (!this.#isOpen) await this.#settle(() => call((done) => this.#producer.beginTransaction(done)))
    this.#isOpen = true
    for (let tries = 0; ; tries++) {
      try {
        await this.#settle(() =>
          call((done) => this.#producer.sendOffsetsToTransaction(offsets, this.#consumer, patience, done)),
        )
        await this.#settle(() => call((done) => this.#producer.commitTransaction(patience, done)))
        break
      } catch (error) {
        if (!mustAbort(error)) throw this.#failure(error)
        this.#report(`a transaction failed (${messageOf(error)}). It is sent again.`)
        await pause(tries)
        await this.#sendAgain()
      }
    }
    this.#isOpen = false
    this.#chunks = []
    this.#messages = 0
    this.#size = 0
  }

  async #sendAgain(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#settle(() => call((done) => this.#producer.abortTransaction(patience, done)))
        await this.#settle(() => call((done) => this.#producer.beginTransaction(done)))
        for (const chunk of this.#chunks) await this.#produce(chunk)
        return
      } catch (error) {
        if (!mustAbort(error)) throw this.#failure(error)
        await pause(tries)
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
          if (!isLibraryError(error)) throw error
          if (failedBefore.has(error.code)) return
          if (error.code !== queueFull) throw this.#failure(error)
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
          throw mustAbort(error) ? error : this.#failure(error)
        this.#report(`${error.message}. Trying again until it answers.`)
        await pause(tries)
      }
    }
  }

  /** Warns, at most once a minute. */
  #report(text: string): void {
    const now = performance.now()
    if (now - this.#warnedAt < quietMilliseconds) return
    this.#warnedAt = now
    this.#warn(`kafka topic ${this.#topic}: ${text}`)
  }

  #failure(error: unknown): unknown {
    if (error instanceof QueryveilError || error instanceof ProducerLost) return error
    if (isLibraryError(error) && error.isFatal) return new ProducerLost(error.message)
    return new QueryveilError(
      "kafka-unreachable",
      `kafka topic ${this.#topic}: cannot be written (${messageOf(error)}). What is missing is in the store.`,
      { cause: error },
    )
  }
}

const pause = (tries: number) => wait(Math.min(longestPause, firstPause * 2 ** Math.min(tries, 6)))
const isLibraryError = (error: unknown): error is LibraryError => error instanceof Error && "code" in error
const mustAbort = (error: unknown) =>
  isLibraryError(error) && error.isTxnRequiresAbort === true && !error.isFatal && !lasting.has(error.code)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
