import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"

/** The part of @confluentinc/kafka-javascript that is used here: its interface close to librdkafka. */
export interface KafkaLibrary {
  KafkaConsumer: new (settings: LibrarySettings, topicSettings: LibrarySettings) => LibraryConsumer
  Producer: new (settings: LibrarySettings, topicSettings?: LibrarySettings) => LibraryProducer
  AdminClient: { create(settings: LibrarySettings): LibraryAdmin }
}

/** Settings of a client. A function is called when a group changes. */
export type LibrarySettings = Record<string, string | number | boolean | Rebalance>

/** Is called with the partitions that a member of a group gets (code -175) or gives back. */
export type Rebalance = (change: LibraryError, partitions: readonly PartitionOffset[]) => void

/** An error of librdkafka. */
export interface LibraryError extends Error {
  code: number
  isFatal?: boolean
  isRetriable?: boolean
  isTxnRequiresAbort?: boolean
}

type Callback<T = unknown> = (error: LibraryError | null | undefined, value: T) => void

/** A partition, and a position in it. */
export interface PartitionOffset {
  topic: string
  partition: number
  offset?: number
  metadata?: string
}

/** A message as it is read. */
export interface KafkaMessage {
  value: Buffer | null
  key?: Buffer | string | null
  topic: string
  partition: number
  offset: number
  timestamp?: number
}

export interface ClusterMetadata {
  brokers: { id: number; host: string; port: number }[]
  topics: { name: string; partitions: { id: number; leader: number; replicas: number[]; isrs: number[] }[] }[]
}

interface LibraryClient {
  connect(options: { timeout?: number }, callback: Callback): void
  getMetadata(options: { topic?: string; timeout: number }, callback: Callback<ClusterMetadata>): void
  queryWatermarkOffsets(
    topic: string,
    partition: number,
    timeout: number,
    callback: Callback<{ lowOffset: number; highOffset: number }>,
  ): void
  on(event: "event.error", listener: (error: LibraryError) => void): void
}

export interface LibraryConsumer extends LibraryClient {
  assign(partitions: readonly PartitionOffset[]): void
  incrementalAssign(partitions: readonly PartitionOffset[]): void
  incrementalUnassign(partitions: readonly PartitionOffset[]): void
  subscribe(topics: readonly string[]): void
  pause(partitions: readonly PartitionOffset[]): void
  resume(partitions: readonly PartitionOffset[]): void
  consume(count: number, callback: Callback<KafkaMessage[]>): void
  /** What the last answer of a broker said; negative before there was one. */
  getWatermarkOffsets(topic: string, partition: number): { lowOffset: number; highOffset: number }
  setDefaultConsumeTimeout(milliseconds: number): void
  setDefaultIsTimeoutOnlyForFirstMessage(only: boolean): void
  committed(partitions: readonly PartitionOffset[], timeout: number, callback: Callback<PartitionOffset[]>): void
  commitCb(partitions: readonly PartitionOffset[], callback: Callback): void
  disconnect(callback: Callback): void
  on(event: "event.error", listener: (error: LibraryError) => void): void
  on(event: "partition.eof", listener: (end: { topic: string; partition: number; offset: number }) => void): void
}

export interface LibraryProducer extends LibraryClient {
  produce(
    topic: string,
    partition: number | null,
    value: Uint8Array | null,
    key: Uint8Array | null,
    timestamp?: number | null,
    opaque?: unknown,
    headers?: readonly Record<string, string>[],
  ): void
  setPollInBackground(set: boolean): void
  initTransactions(timeout: number, callback: Callback): void
  beginTransaction(callback: Callback): void
  sendOffsetsToTransaction(
    offsets: readonly PartitionOffset[],
    consumer: LibraryConsumer,
    timeout: number,
    callback: Callback,
  ): void
  commitTransaction(timeout: number, callback: Callback): void
  abortTransaction(timeout: number, callback: Callback): void
  flush(timeout: number, callback: Callback): void
  /** Looks for what was delivered, again and again. Until then a message counts among those that wait. */
  setPollInterval(milliseconds: number): void
  disconnect(timeout: number, callback: Callback): void
  on(event: "event.error", listener: (error: LibraryError) => void): void
  on(event: "delivery-report", listener: (error: LibraryError | null) => void): void
}

interface LibraryAdmin {
  describeTopics(
    topics: readonly string[],
    options: { timeout: number },
    callback: Callback<{ name: string; topicId: { base64: string }; error?: LibraryError }[]>,
  ): void
  createTopic(
    topic: { topic: string; num_partitions: number; replication_factor: number; config: Record<string, string> },
    timeout: number,
    callback: Callback,
  ): void
  createPartitions(topic: string, total: number, timeout: number, callback: Callback): void
  disconnect(): void
}

/** Loads the client of Kafka. It is an optional peer dependency, because it brings a native library. */
export async function loadKafkaLibrary(): Promise<KafkaLibrary> {
  try {
    return (await import("@confluentinc/kafka-javascript")).default
  } catch (cause) {
    throw new QueryveilError(
      "kafka-client",
      [
        "The client of Kafka cannot be loaded.",
        "Install it next to queryveil: npm install @confluentinc/kafka-javascript.",
        "docs/kafka.md says what to do where its binary cannot be downloaded.",
      ].join(" "),
      { cause },
    )
  }
}

/** Longer than any call waits for brokers by itself. A call that takes longer is not answered at all. */
const longestCall = 75_000
let callsInFlight = 0

/** True if the client has not answered everything. Its threads then hold up the end of the process. */
export const isClientBusy = () => callsInFlight > 0

/** Calls a function that takes a callback, and returns its result as a promise. */
export function call<T>(start: (callback: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the client of Kafka does not answer")), longestCall)
    const settle: Callback<T> = (error, value) => {
      callsInFlight--
      clearTimeout(late)
      if (error) reject(error)
      else resolve(value)
    }
    callsInFlight++
    try {
      start(settle)
    } catch (error) {
      callsInFlight--
      clearTimeout(late)
      reject(error)
    }
  })
}

/**
 * Errors that pass within seconds while brokers come and go: a broker that cannot be reached, has just been removed, or
 * is not the leader any more (negative ones are the client's own), and a group that moves to another broker.
 */
const passing = new Set([-195, -137, 3, 5, 6, 7, 9, 13, 14, 15, 16, 78, 88])
const passingMilliseconds = 60_000

/** As `call`, for questions. Asks again for a while after an error that may pass. */
export const callAgain = <T>(start: (callback: Callback<T>) => void): Promise<T> => tryAgain(() => call(start))

/** Does something that changes nothing until it succeeds, and tries again for a while after an error that may pass. */
export async function tryAgain<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + passingMilliseconds
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const code = error instanceof Error && "code" in error ? Number(error.code) : 0
      if (!passing.has(code) || performance.now() > until) throw error
      await wait(300)
    }
  }
}

/** Waits until all calls that end a connection are done, but not for brokers that do not answer. */
export async function endCalls(calls: readonly Promise<unknown>[], milliseconds = 5000): Promise<void> {
  await Promise.race([Promise.allSettled(calls), wait(milliseconds)])
}
