import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"

/** The part of @confluentinc/kafka-javascript that is used here: its interface close to librdkafka. */
export interface KafkaLibrary {
  KafkaConsumer: new (settings: LibrarySettings, topicSettings: LibrarySettings) => LibraryConsumer
  Producer: new (settings: LibrarySettings, topicSettings?: LibrarySettings) => LibraryProducer
  AdminClient: { create(settings: LibrarySettings): LibraryAdmin }
}

export type LibrarySettings = Record<string, string | number | boolean>

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
  pause(partitions: readonly PartitionOffset[]): void
  resume(partitions: readonly PartitionOffset[]): void
  consume(count: number, callback: Callback<KafkaMessage[]>): void
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

/** Calls a function that takes a callback, and returns its result as a promise. */
export function call<T>(start: (callback: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))))
}

/** Errors of a broker that is still taking over the offsets of a group. They pass within seconds. */
const passing = new Set([14, 15, 16, 88]) // coordinator loading, not available or elsewhere; offsets not stable yet
const tries = 100

/** As `call`, for questions about the offsets of a group. Asks again while the group moves to another broker. */
export async function callGroup<T>(start: (callback: Callback<T>) => void): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call(start)
    } catch (error) {
      const code = error instanceof Error && "code" in error ? Number(error.code) : 0
      if (!passing.has(code) || tried === tries) throw error
      await wait(300)
    }
  }
}
