import { QueryveilError } from "../../kernels/error.ts"
import type { TransportMessages } from "../transports/transport.ts"
import { checkTopic, type TopicFacts, type TopicUse } from "./check-topic.ts"
import {
  type ClusterMetadata,
  call,
  callAgain,
  type KafkaLibrary,
  type LibraryConsumer,
  type LibraryError,
  type LibraryProducer,
  type LibrarySettings,
  loadKafkaLibrary,
  type Rebalance,
  tryAgain,
} from "./kafka-library.ts"
import type { KafkaPlace } from "./kafka-place.ts"
import { type KafkaSettings, readKafkaSettings } from "./kafka-settings.ts"
import { readTopicSettings, type TopicSettings } from "./wire/read-topic-settings.ts"
import { UnknownLogin } from "./wire/wire-connection.ts"

/** How long a broker may take to answer, in milliseconds. */
export const patience = 30_000
const quietMilliseconds = 60_000
/**
 * After this time the brokers abort a transaction, so that readers wait no longer than this for a stream that crashed
 * and does not come back.
 */
export const transactionMilliseconds = 300_000
/** A message that is not a record may be as large as a broker accepts it. */
const largestLetter = 16 << 20
const topicExists = 36

/** The way to a cluster: opens consumers and producers with the settings of a place. */
export class KafkaLink {
  readonly #library: KafkaLibrary
  readonly #place: KafkaPlace
  readonly #settings: KafkaSettings
  readonly #messages: TransportMessages
  #warnedAt = Number.NEGATIVE_INFINITY

  private constructor(
    library: KafkaLibrary,
    { place, settings, messages }: { place: KafkaPlace; settings: KafkaSettings; messages: TransportMessages },
  ) {
    this.#library = library
    this.#place = place
    this.#settings = settings
    this.#messages = messages
  }

  static async open(place: KafkaPlace, messages: TransportMessages): Promise<KafkaLink> {
    const library = await loadKafkaLibrary()
    const settings = await readKafkaSettings(place.config, process.env)
    return new KafkaLink(library, { place, settings, messages })
  }

  /**
   * A consumer that may commit offsets of the group. It does not join the group: partitions are assigned to it. One
   * that reads committed messages also waits for transactions in progress before it says what is committed.
   */
  async consumer(group: string, isolation: "read_committed" | "read_uncommitted"): Promise<LibraryConsumer> {
    const settings = {
      ...this.#common(),
      "group.id": group,
      "enable.auto.commit": false,
      "enable.auto.offset.store": false,
      "enable.partition.eof": true,
      "isolation.level": isolation,
    }
    return this.#connect(() => new this.#library.KafkaConsumer(settings, { "auto.offset.reset": "earliest" }))
  }

  /**
   * A member of a group, which shares the partitions of its topics among its members. `rebalance` is called when this
   * member gets partitions or must give them back.
   */
  async member(group: string, { session, rebalance }: { session: number; rebalance: Rebalance }) {
    const settings = {
      ...this.#common(),
      "group.id": group,
      "enable.auto.commit": false,
      "session.timeout.ms": session,
      "heartbeat.interval.ms": Math.ceil(session / 4),
      "topic.metadata.refresh.interval.ms": 30_000, // so long until partitions that were added are found
      "partition.assignment.strategy": "cooperative-sticky",
      rebalance_cb: rebalance,
    }
    return this.#connect(() => new this.#library.KafkaConsumer(settings, { "auto.offset.reset": "latest" }))
  }

  /** Creates a topic. False if it exists. */
  async createTopic(
    topic: string,
    { partitions, replicas, settings }: { partitions: number; replicas: number; settings: Record<string, string> },
  ): Promise<boolean> {
    const admin = this.#library.AdminClient.create(this.#common())
    const made = { topic, num_partitions: partitions, replication_factor: replicas, config: settings }
    try {
      await call((done) => admin.createTopic(made, patience, done))
      return true
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === topicExists) return false
      throw unreachable(this.#place, error)
    } finally {
      admin.disconnect()
    }
  }

  /** Gives a topic more partitions. */
  async addPartitions(topic: string, total: number): Promise<void> {
    const admin = this.#library.AdminClient.create(this.#common())
    try {
      await this.asking(call((done) => admin.createPartitions(topic, total, patience, done)))
    } finally {
      admin.disconnect()
    }
  }

  /** Number of partitions of a topic, which must exist. */
  async countPartitions(client: LibraryConsumer, topic: string): Promise<number> {
    return (await this.#lookUp(client, topic)).found.length
  }

  /** Number of brokers of the cluster. */
  async brokers(client: LibraryConsumer): Promise<number> {
    const asked = callAgain<ClusterMetadata>((done) => client.getMetadata({ timeout: patience }, done))
    return (await this.asking(asked)).brokers.length
  }

  /** A producer of transactions. Of all producers with one transactional id, only the newest may write. */
  transactionalProducer(transactionalId: string, more: LibrarySettings = {}): Promise<LibraryProducer> {
    return this.#producer({
      ...more,
      "transactional.id": transactionalId,
      "transaction.timeout.ms": transactionMilliseconds,
      dr_cb: false,
    })
  }

  /** A producer of single messages, which reports the delivery of each. */
  letterProducer(): Promise<LibraryProducer> {
    return this.#producer({
      "enable.idempotence": true,
      "message.max.bytes": largestLetter,
      "batch.num.messages": 1,
      dr_cb: true,
    })
  }

  /** A producer of reports. They expire soon, so that few wait while no broker answers. */
  async reportProducer(): Promise<LibraryProducer> {
    const settings = { "message.timeout.ms": 10_000, "queue.buffering.max.messages": 10, dr_cb: false }
    const producer = await this.#producer(settings)
    producer.setPollInterval(1000)
    return producer
  }

  async #producer(settings: LibrarySettings): Promise<LibraryProducer> {
    const all = {
      ...this.#common(),
      acks: "all",
      "linger.ms": 5,
      "queue.buffering.max.messages": 500_000,
      ...settings,
    }
    return this.#connect(() => new this.#library.Producer(all))
  }

  /** Looks at a topic (by default the one of the place), and refuses one that is not fit for its use. */
  async topic(client: LibraryConsumer, use: TopicUse, topic = this.#place.topic): Promise<TopicFacts> {
    const { checks, brokers } = this.#place
    const { metadata, found } = await this.#lookUp(client, topic)
    const facts: TopicFacts = {
      topic,
      id: await this.#topicId(topic),
      partitions: found.map(({ id }) => id).sort((a, b) => a - b),
      replicas: Math.min(...found.map(({ replicas }) => replicas.length)),
      brokers: metadata.brokers.length,
      settings: await this.#topicSettings(topic, [
        ...metadata.brokers.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`),
        ...brokers,
      ]),
    }
    const { refusals, warnings } = checkTopic(facts, use)
    for (const text of warnings) this.#messages.warn(`kafka topic ${topic}: ${text}`)
    if (checks === "warn") for (const text of refusals) this.#messages.warn(`kafka topic ${topic}: ${text}`)
    else if (refusals.length > 0)
      throw new QueryveilError(
        "kafka-topic",
        `kafka topic ${topic}: ${refusals.join(" ")} Or accept it as it is with ?checks=warn.`,
      )
    return facts
  }

  /** Kafka's id of the topic now, and its partitions. */
  async identity(client: LibraryConsumer): Promise<Pick<TopicFacts, "id" | "partitions">> {
    const { topic } = this.#place
    const { found } = await this.#lookUp(client, topic)
    return { id: await this.#topicId(topic), partitions: found.map(({ id }) => id) }
  }

  /** Throws if the topic does not exist. */
  async requireTopic(client: LibraryConsumer, topic: string): Promise<void> {
    await this.#lookUp(client, topic)
  }

  async hasTopic(client: LibraryConsumer, topic: string): Promise<boolean> {
    return (await this.#describe(client, topic)).found.length > 0
  }

  async #describe(client: LibraryConsumer, topic: string) {
    const metadata = await this.asking(
      callAgain<ClusterMetadata>((done) => client.getMetadata({ topic, timeout: patience }, done)),
    )
    return { metadata, found: metadata.topics.find(({ name }) => name === topic)?.partitions ?? [] }
  }

  async #lookUp(client: LibraryConsumer, topic: string) {
    const { metadata, found } = await this.#describe(client, topic)
    if (found.length > 0) return { metadata, found }
    throw new QueryveilError("kafka-topic", `kafka topic ${topic}: does not exist. Create it first (docs/kafka.md).`)
  }

  #common(): LibrarySettings {
    return {
      "client.id": "queryveil",
      ...this.#settings,
      "metadata.broker.list": this.#place.brokers.join(","),
      "allow.auto.create.topics": false,
    }
  }

  /** Connects a client. Where the first fails because a broker has just gone, a second one may find the others. */
  #connect<C extends LibraryConsumer | LibraryProducer>(make: () => C): Promise<C> {
    const connected = tryAgain(async () => {
      const client = make()
      client.on("event.error", (error) => this.#report(error))
      try {
        await call((done) => client.connect({ timeout: patience }, done))
        return client
      } catch (error) {
        disconnect(client)
        throw error
      }
    })
    return this.asking(connected)
  }

  /** Reports trouble of the connection. The library tries again by itself, so one message a minute is enough. */
  #report(error: LibraryError): void {
    const now = performance.now()
    if (now - this.#warnedAt < quietMilliseconds) return
    this.#warnedAt = now
    this.#messages.warn(`kafka: ${error.message}. Trying again.`)
  }

  /** The answer; throws that the cluster cannot be used if there is none. */
  async asking<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (cause) {
      throw cause instanceof QueryveilError ? cause : unreachable(this.#place, cause)
    }
  }

  async #topicId(topic: string): Promise<string> {
    const admin = this.#library.AdminClient.create(this.#common())
    try {
      const [found] = await this.asking(
        call<TopicIds>((done) => admin.describeTopics([topic], { timeout: patience }, done)),
      )
      return found?.topicId.base64 ?? ""
    } finally {
      admin.disconnect()
    }
  }

  async #topicSettings(topic: string, brokers: string[]): Promise<TopicSettings | undefined> {
    try {
      return await readTopicSettings(topic, { brokers, settings: this.#settings })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const text = `kafka topic ${topic}: its settings cannot be checked. ${why}`
      if (this.#place.checks === "refuse" && !(error instanceof UnknownLogin))
        throw new QueryveilError("kafka-topic", `${text} Or accept it as it is with ?checks=warn.`, { cause: error })
      this.#messages.warn(text)
      return undefined
    }
  }
}

/** Disconnects a client that is of no use any more. */
function disconnect(client: LibraryConsumer | LibraryProducer): void {
  if ("commitTransaction" in client) client.disconnect(1000, () => {})
  else client.disconnect(() => {})
}

type TopicIds = { name: string; topicId: { base64: string } }[]

/** The error that the cluster does not answer, or refuses the login. */
export function unreachable({ brokers }: KafkaPlace, cause: unknown): QueryveilError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new QueryveilError(
    "kafka-unreachable",
    `kafka ${brokers.join(",")}: cannot be used (${why}). Check the addresses, the network, the login and its rights.`,
    { cause },
  )
}

/** Names under which a stream is known to the cluster. A second stream on the same topic finds the first by them. */
export const groupOf = (topic: string, as: "input" | "output") => `queryveil.${topic}.${as}`
