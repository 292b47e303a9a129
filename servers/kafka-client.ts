import { createRequire } from "node:module"

/** A message as a test reads it. */
export interface ReadMessage {
  key?: Buffer | string | null
  value: Buffer | null
  topic: string
  partition: number
  offset: number
  timestamp: number
  headers?: Record<string, Buffer | string>[]
}

type Done = (error: Error | null | undefined, value?: unknown) => void
type Toppar = { topic: string; partition: number; offset?: number; metadata?: string }

/** The client, used directly and not through the code under test. */
interface Library {
  Producer: new (settings: object) => RawProducer
  KafkaConsumer: new (settings: object, topic: object) => RawConsumer
  AdminClient: { create(settings: object): RawAdmin }
}
interface RawProducer {
  connect(options: object, done: Done): void
  produce(
    topic: string,
    partition: number | null,
    value: Buffer | null,
    key: null,
    timestamp?: number,
    opaque?: number,
  ): void
  setPollInBackground(set: boolean): void
  on(event: "delivery-report", listener: (error: Error | null, report: { opaque: number }) => void): void
  initTransactions(timeout: number, done: Done): void
  beginTransaction(done: Done): void
  commitTransaction(timeout: number, done: Done): void
  abortTransaction(timeout: number, done: Done): void
  sendOffsetsToTransaction(offsets: Toppar[], consumer: RawConsumer, timeout: number, done: Done): void
  flush(timeout: number, done: Done): void
  disconnect(timeout: number, done: Done): void
}
interface RawConsumer {
  connect(options: object, done: Done): void
  assign(places: Toppar[]): void
  consume(count: number, done: Done): void
  committed(places: Toppar[], timeout: number, done: Done): void
  queryWatermarkOffsets(topic: string, partition: number, timeout: number, done: Done): void
  setDefaultConsumeTimeout(milliseconds: number): void
  setDefaultIsTimeoutOnlyForFirstMessage(only: boolean): void
  on(event: "partition.eof", listener: (end: { partition: number; offset: number }) => void): void
  disconnect(done: Done): void
}
interface RawAdmin {
  createTopic(topic: object, timeout: number, done: Done): void
  deleteTopic(topic: string, timeout: number, done: Done): void
  deleteGroups(groups: string[], options: object, done: Done): void
  deleteRecords(records: Toppar[], options: object, done: Done): void
  disconnect(): void
}

const patience = 60_000

const load = (): Library => createRequire(import.meta.url)("@confluentinc/kafka-javascript")

function call<T>(start: (done: Done) => void): Promise<T> {
  return new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value as T))))
}

/** Creates and deletes topics. */
export async function withAdmin<T>(addresses: string, work: (admin: RawAdmin) => Promise<T>): Promise<T> {
  const admin = load().AdminClient.create({ "metadata.broker.list": addresses })
  try {
    return await work(admin)
  } finally {
    admin.disconnect()
  }
}

export function createTopic(
  addresses: string,
  topic: string,
  options: { partitions?: number; replicas?: number; settings?: Record<string, string> } = {},
): Promise<void> {
  const { partitions = 1, replicas = 1, settings = {} } = options
  const made = { topic, num_partitions: partitions, replication_factor: replicas, config: settings }
  return withAdmin(addresses, (admin) => call((done) => admin.createTopic(made, patience, done)))
}

/** Forgets the committed offsets of a group. */
export function deleteGroup(addresses: string, group: string): Promise<void> {
  return withAdmin(addresses, (admin) => call((done) => admin.deleteGroups([group], { timeout: patience }, done)))
}

/** Deletes the messages of a partition before an offset, as retention does. */
export function deleteBefore(addresses: string, place: { topic: string; partition: number; offset: number }) {
  return withAdmin(addresses, (admin) =>
    call<void>((done) => admin.deleteRecords([place], { timeout: patience, operation_timeout: patience }, done)),
  )
}

/** Sends messages to a topic. `settings` are added to those of the producer. */
export async function openSender(addresses: string, topic: string, settings: Record<string, boolean | number> = {}) {
  const common = { "metadata.broker.list": addresses, "linger.ms": 2, acks: "all" }
  const producer = new (load().Producer)({ ...common, ...settings })
  await call((done) => producer.connect({ timeout: patience }, done))
  return {
    async send(values: readonly (string | Buffer | null)[], options: { partition?: number; timestamp?: number } = {}) {
      for (const value of values)
        producer.produce(
          topic,
          options.partition ?? null,
          typeof value === "string" ? Buffer.from(value) : value,
          null,
          options.timestamp ?? Date.now(),
        )
      await call((done) => producer.flush(patience, done))
    },
    close: () => call<void>((done) => producer.disconnect(patience, done)),
  }
}

/** Sends single messages. `answered` is called with the number of each when the brokers have it. */
export async function openAnsweredSender(addresses: string, topic: string, answered: (number: number) => void) {
  const settings = { "metadata.broker.list": addresses, "linger.ms": 2, acks: "all", dr_cb: true }
  const producer = new (load().Producer)(settings)
  let failed: Error | undefined
  producer.on("delivery-report", (error, { opaque }) => {
    if (error) failed = error
    else answered(opaque)
  })
  await call((done) => producer.connect({ timeout: patience }, done))
  producer.setPollInBackground(true)
  return {
    send(value: Buffer, { partition, number }: { partition: number; number: number }) {
      if (failed !== undefined) throw failed
      producer.produce(topic, partition, value, null, Date.now(), number)
    },
    async close() {
      await call((done) => producer.flush(patience, done))
      await call((done) => producer.disconnect(patience, done))
    },
  }
}

/** Sends messages to a topic in one transaction, which is committed or given up. */
export async function sendInTransaction(
  addresses: string,
  topic: string,
  { values, end }: { values: readonly string[]; end: "commit" | "abort" },
): Promise<void> {
  const producer = new (load().Producer)({ "metadata.broker.list": addresses, "transactional.id": `test ${topic}` })
  await call((done) => producer.connect({ timeout: patience }, done))
  await call((done) => producer.initTransactions(patience, done))
  await call((done) => producer.beginTransaction(done))
  for (const value of values) producer.produce(topic, 0, Buffer.from(value), null)
  await call((done) => producer.flush(patience, done))
  if (end === "commit") await call((done) => producer.commitTransaction(patience, done))
  else await call((done) => producer.abortTransaction(patience, done))
  await call((done) => producer.disconnect(patience, done))
}

/** Takes a transactional id over, so that the brokers refuse the producer that had it. */
export async function takeOverId(addresses: string, id: string): Promise<void> {
  const producer = new (load().Producer)({ "metadata.broker.list": addresses, "transactional.id": id })
  await call((done) => producer.connect({ timeout: patience }, done))
  await call((done) => producer.initTransactions(patience, done))
  await call((done) => producer.disconnect(patience, done))
}

/** Reads a topic from the beginning. `read` returns what is there and new since the last call. */
export async function openReader(
  addresses: string,
  topic: string,
  {
    isolation,
    partitions = 1,
    only,
  }: {
    isolation: "read_committed" | "read_uncommitted"
    partitions?: number
    /** Reads this partition, not all. */
    only?: number
  },
) {
  const consumer = new (load().KafkaConsumer)(
    {
      "metadata.broker.list": addresses,
      "group.id": `reader-${Math.random()}`,
      "enable.auto.commit": false,
      "enable.partition.eof": true,
      "isolation.level": isolation,
    },
    { "auto.offset.reset": "earliest" },
  )
  await call((done) => consumer.connect({ timeout: patience }, done))
  consumer.setDefaultConsumeTimeout(100)
  consumer.setDefaultIsTimeoutOnlyForFirstMessage(true)
  const read = only === undefined ? Array.from({ length: partitions }, (_, partition) => partition) : [only]
  const next = new Map(read.map((partition) => [partition, 0]))
  const ends = new Map<number, number>()
  consumer.on("partition.eof", ({ partition, offset }) => ends.set(partition, offset))
  consumer.assign([...next.keys()].map((partition) => ({ topic, partition, offset: 0 })))
  const some = async () => {
    const messages = await call<ReadMessage[]>((done) => consumer.consume(5000, done))
    for (const { partition, offset } of messages) next.set(partition, offset + 1)
    return messages
  }
  return {
    /** What arrived within a moment. */
    some,
    /** Everything up to the present end of the topic. */
    async rest(): Promise<ReadMessage[]> {
      ends.clear()
      consumer.assign([...next].map(([partition, offset]) => ({ topic, partition, offset })))
      const found: ReadMessage[] = []
      while (ends.size < read.length) found.push(...(await some()))
      return found
    },
    close: () => call<void>((done) => consumer.disconnect(done)),
  }
}

/** The committed offset of a group in a partition, with its note. */
export async function committedOffset(addresses: string, group: string, place: { topic: string; partition: number }) {
  const consumer = new (load().KafkaConsumer)({ "metadata.broker.list": addresses, "group.id": group }, {})
  await call((done) => consumer.connect({ timeout: patience }, done))
  try {
    const [found] = await call<Toppar[]>((done) => consumer.committed([place], patience, done))
    return { offset: found?.offset, metadata: found?.metadata }
  } finally {
    await call((done) => consumer.disconnect(done))
  }
}

/**
 * Copies this many messages of a topic to another, in transactions of `batch` messages, with nothing between. With
 * `only`, it copies one partition to the partition with the same number.
 */
export async function copyTopic(
  addresses: string,
  options: { from: string; to: string; partitions: number; only?: number; messages: number; batch: number },
): Promise<void> {
  const { from, to, partitions, only, messages: count, batch } = options
  const id = `copy ${to} ${only ?? "all"}`
  const library = load()
  const producer = new library.Producer({
    "metadata.broker.list": addresses,
    "transactional.id": id,
    dr_cb: false,
    "linger.ms": 5,
    "queue.buffering.max.messages": 500_000,
  })
  const place = { partitions, ...(only !== undefined && { only }) }
  const reader = await openReader(addresses, from, { isolation: "read_committed", ...place })
  const group = new library.KafkaConsumer({ "metadata.broker.list": addresses, "group.id": id }, {})
  await call((done) => group.connect({ timeout: patience }, done))
  await call((done) => producer.connect({ timeout: patience }, done))
  await call((done) => producer.initTransactions(patience, done))
  let total = 0
  let open = 0
  const next = new Map<number, number>()
  const commit = async () => {
    const offsets = [...next].map(([partition, offset]) => ({ topic: from, partition, offset }))
    await call((done) => producer.sendOffsetsToTransaction(offsets, group, patience, done))
    await call((done) => producer.commitTransaction(patience, done))
    open = 0
  }
  while (total < count) {
    const messages = await reader.some()
    if (messages.length === 0) continue
    if (open === 0) await call((done) => producer.beginTransaction(done))
    for (const { value, partition, offset, timestamp } of messages) {
      producer.produce(to, only ?? null, value, null, timestamp)
      next.set(partition, offset + 1)
    }
    open += messages.length
    total += messages.length
    if (open >= batch) await commit()
  }
  if (open > 0) await commit()
  await call((done) => producer.disconnect(patience, done))
  await call((done) => group.disconnect(done))
  await reader.close()
}
