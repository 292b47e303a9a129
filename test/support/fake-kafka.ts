import type {
  KafkaMessage,
  LibraryConsumer,
  LibraryProducer,
  PartitionOffset,
} from "#dist/stream/kafka/kafka-library.js"
import type { KafkaLink } from "#dist/stream/kafka/kafka-link.js"

type Done<T = undefined> = (error: null, value: T) => void
const keyOf = (topic: string, partition: number) => `${topic} ${partition}`

/**
 * The topics of a Kafka in memory, as far as a worker of a partition needs them: what is committed appears at once and
 * as a whole. It fences nobody.
 */
export class FakeKafka {
  readonly #messages = new Map<string, KafkaMessage[]>()
  readonly #offsets = new Map<string, { offset: number; metadata?: string }>()
  readonly #first = new Map<string, number>()
  /** How many transactions are to fail. */
  failures = 0
  /** How many flushes end before the brokers have everything. No transaction is committed before that. */
  slowFlushes = 0
  /** By partition: how many of its messages were read. */
  readonly reads = new Map<string, number>()

  messages(topic: string, partition = 0): KafkaMessage[] {
    const key = keyOf(topic, partition)
    const found = this.#messages.get(key) ?? []
    this.#messages.set(key, found)
    return found
  }

  send(topic: string, partition: number, message: { key?: string; value: Buffer | null }): void {
    const log = this.messages(topic, partition)
    const key = message.key === undefined ? null : Buffer.from(message.key)
    log.push({ topic, partition, offset: log.length, value: message.value, key } as KafkaMessage)
  }

  /** Deletes the messages of a partition before an offset, as retention does. */
  deleteBefore(topic: string, partition: number, offset: number): void {
    this.#first.set(keyOf(topic, partition), offset)
  }

  /** The part of a link that a partition's client uses. */
  get link(): KafkaLink {
    const link = {
      consumer: async (group: string) => this.#consumer(group),
      transactionalProducer: async () => this.#producer(),
    }
    return link as unknown as KafkaLink
  }

  #consumer(group: string): LibraryConsumer {
    let at: PartitionOffset & { offset?: number } = { topic: "", partition: 0 }
    const ends = (topic: string, partition: number) => ({
      lowOffset: this.#first.get(keyOf(topic, partition)) ?? 0,
      highOffset: this.messages(topic, partition).length,
    })
    const consumer = {
      ...{ on() {}, setDefaultConsumeTimeout() {}, setDefaultIsTimeoutOnlyForFirstMessage() {} },
      assign([to]: PartitionOffset[]) {
        at = { ...to, offset: Math.max(0, to?.offset ?? 0) } as typeof at
      },
      consume: (most: number, done: Done<KafkaMessage[]>) => {
        const { topic, partition } = at
        const offset = Math.max(at.offset ?? 0, ends(topic, partition).lowOffset)
        const found = this.messages(topic, partition).slice(offset, offset + most)
        at.offset = offset + found.length
        const key = keyOf(topic, partition)
        this.reads.set(key, (this.reads.get(key) ?? 0) + found.length)
        setImmediate(() => done(null, found))
      },
      getWatermarkOffsets: ends,
      queryWatermarkOffsets: (topic: string, partition: number, _: number, done: Done<ReturnType<typeof ends>>) =>
        done(null, ends(topic, partition)),
      committed: ([of]: PartitionOffset[], _: number, done: Done<unknown>) => {
        done(null, [{ ...of, ...this.#offsets.get(`${group} ${keyOf(of?.topic ?? "", of?.partition ?? 0)}`) }])
      },
      disconnect: (done: Done) => done(null, undefined),
      group,
    }
    return consumer as unknown as LibraryConsumer
  }

  #producer(): LibraryProducer {
    let open: (() => void)[] = []
    const now = (...rest: unknown[]) => (rest.at(-1) as Done)(null, undefined)
    const producer = {
      ...{ initTransactions: now, disconnect: now },
      beginTransaction: (done: Done) => {
        open = []
        done(null, undefined)
      },
      produce: (topic: string, partition: number, value: Buffer | null, key: Buffer | null) => {
        open.push(() => this.send(topic, partition, { ...(key !== null && { key: String(key) }), value }))
      },
      sendOffsetsToTransaction: (
        offsets: (PartitionOffset & { offset: number })[],
        { group }: { group: string },
        _: number,
        done: Done,
      ) => {
        for (const { topic, partition, offset, metadata = "" } of offsets)
          open.push(() => this.#offsets.set(`${group} ${keyOf(topic, partition)}`, { offset, metadata }))
        done(null, undefined)
      },
      flush: (_: number, done: (error: Error | null) => void) => {
        done(this.slowFlushes-- > 0 ? Object.assign(new Error("timed out"), { code: -185 }) : null)
      },
      commitTransaction: (_: number, done: (error: Error | null) => void) => {
        if (this.slowFlushes > 0) return done(new Error("the commit timed out"))
        if (this.failures-- > 0) return done(new Error("the transaction failed"))
        this.failures = 0
        for (const step of open) step()
        done(null)
      },
    }
    return producer as unknown as LibraryProducer
  }
}
