import { QueryveilError } from "../../kernels/error.ts"
import type { TransportMessages } from "../transports/transport.ts"
import { checkTopic, type TopicFacts, type TopicUse } from "./check-topic.ts"
import {
  type ClusterMetadata,
  call,
  type KafkaLibrary,
  type LibraryConsumer,
  type LibraryError,
  type LibraryProducer,
  type LibrarySettings,
  loadKafkaLibrary,
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
const transactionMilliseconds = 300_000
/** A message that is not a record may be as large as a broker accepts it. */
const largestLetter = 16 << 20

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
    const consumer = new this.#library.KafkaConsumer(
      {
        ...this.#common(),
        "group.id": group,
        "enable.auto.commit": false,
        "enable.auto.offset.store": false,
        "enable.partition.eof": true,
        "isolation.level": isolation,
      },
      { "auto.offset.reset": "earliest" },
    )
    await this.#connect(consumer)
    return consumer
  }

  /** A producer of transactions. Of all producers with one transactional id, only the newest may write. */
  transactionalProducer(transactionalId: string): Promise<LibraryProducer> {
    return this.#producer({
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

  async #producer(settings: LibrarySettings): Promise<LibraryProducer> {
    const producer = new this.#library.Producer({
      ...this.#common(),
      ...settings,
      acks: "all",
      "linger.ms": 5,
      "queue.buffering.max.messages": 500_000,
    })
    await this.#connect(producer)
    return producer
  }

  /** Looks at a topic, and refuses one that is not fit for its use. */
  async topic(client: LibraryConsumer, use: TopicUse): Promise<TopicFacts> {
    const { topic, checks, brokers } = this.#place
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

  async #lookUp(client: LibraryConsumer, topic: string) {
    const metadata = await this.#asking(
      call<ClusterMetadata>((done) => client.getMetadata({ topic, timeout: patience }, done)),
    )
    const found = metadata.topics.find(({ name }) => name === topic)?.partitions ?? []
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

  async #connect(client: LibraryConsumer | LibraryProducer): Promise<void> {
    client.on("event.error", (error) => this.#report(error))
    try {
      await this.#asking(call((done) => client.connect({ timeout: patience }, done)))
    } catch (error) {
      disconnect(client)
      throw error
    }
  }

  /** Reports trouble of the connection. The library tries again by itself, so one message a minute is enough. */
  #report(error: LibraryError): void {
    const now = performance.now()
    if (now - this.#warnedAt < quietMilliseconds) return
    this.#warnedAt = now
    this.#messages.warn(`kafka: ${error.message}. Trying again.`)
  }

  async #asking<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (cause) {
      throw unreachable(this.#place, cause)
    }
  }

  async #topicId(topic: string): Promise<string> {
    const admin = this.#library.AdminClient.create(this.#common())
    try {
      const [found] = await this.#asking(
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
    `kafka ${brokers.join(",")}: cannot be used (${why}). Check the addresses, the network and the login.`,
    { cause },
  )
}

/** Names under which a stream is known to the cluster. A second stream on the same topic finds the first by them. */
export const groupOf = (topic: string, as: "input" | "output") => `queryveil.${topic}.${as}`
