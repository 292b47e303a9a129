import { QueryveilError } from "../../kernels/error.ts"
import { call, callAgain, endCalls, type KafkaMessage, type LibraryConsumer } from "../kafka/kafka-library.ts"
import { type KafkaLink, patience } from "../kafka/kafka-link.ts"
import type { ControlMessage } from "./change-group.ts"
import { decodePlan, encodePlan, namesOf, type WorkerPlan } from "./worker-plan.ts"

const keyOf = (epoch: number) => `plan.${epoch}`
const begunKey = (input: number) => `begun.${input}`
const keyForm = /^(?:plan|begun)\.(\d+)$/
const pollMilliseconds = 100
const firstOffset = -2
const lookMilliseconds = 1000

/** The plans of a group of workers, as they are now. */
export class PlanWatch {
  readonly #consumer: LibraryConsumer
  readonly #topic: string
  readonly #plans = new Map<number, WorkerPlan>()
  /** Partitions of the input that were begun. */
  readonly #begun = new Set<number>()
  #end = -1
  #lookedAt = 0

  private constructor(consumer: LibraryConsumer, topic: string) {
    this.#consumer = consumer
    this.#topic = topic
    consumer.setDefaultConsumeTimeout(pollMilliseconds)
    consumer.on("partition.eof", ({ offset }) => {
      this.#end = offset
    })
  }

  /** Reads all plans. The topic must exist. */
  static async open(link: KafkaLink, group: string): Promise<PlanWatch> {
    const { plan: topic } = namesOf(group, 0)
    const consumer = await link.consumer(topic, "read_committed")
    const watch = new PlanWatch(consumer, topic)
    try {
      await link.requireTopic(consumer, topic)
      consumer.assign([{ topic, partition: 0, offset: firstOffset }])
      await watch.refresh(link)
      return watch
    } catch (error) {
      await watch.close()
      throw error
    }
  }

  /** As `open`, for a worker: refuses a group without a plan. */
  static async require(link: KafkaLink, group: string): Promise<PlanWatch> {
    const watch = await PlanWatch.open(link, group).catch((error) => {
      if (error instanceof QueryveilError && error.code === "kafka-topic") return undefined
      throw error
    })
    if (watch !== undefined && watch.#plans.size > 0) return watch
    await watch?.close()
    throw new QueryveilError(
      "kafka-topic",
      `The group of workers ${group} has no plan. Create its topics first: queryveil stream topics create.`,
    )
  }

  get isEmpty(): boolean {
    return this.#plans.size === 0
  }

  /** The plan that is in force. */
  get current(): WorkerPlan {
    return this.of(Math.max(...this.#plans.keys()))
  }

  /** The first plan that the topic has. */
  get first(): WorkerPlan {
    return this.of(Math.min(...this.#plans.keys()))
  }

  has(epoch: number): boolean {
    return this.#plans.has(epoch)
  }

  of(epoch: number): WorkerPlan {
    const plan = this.#plans.get(epoch)
    if (plan !== undefined) return plan
    throw new QueryveilError("kafka-state", `kafka topic ${this.#topic}: plan ${epoch} is missing.`)
  }

  /** The plan after this one, if there is one. */
  after({ epoch }: WorkerPlan): WorkerPlan | undefined {
    return this.#plans.get(epoch + 1)
  }

  /** The plan before this one, if there is one. */
  before({ epoch }: WorkerPlan): WorkerPlan | undefined {
    return this.#plans.get(epoch - 1)
  }

  /** True if a worker has begun to read this partition of the input, whether or not its position is known. */
  hasBegun(input: number): boolean {
    return this.#begun.has(input)
  }

  /** Number of partitions of the topic that the group reads. */
  countInputs(link: KafkaLink): Promise<number> {
    return link.countPartitions(this.#consumer, this.current.input)
  }

  hasTopic(link: KafkaLink, topic: string): Promise<boolean> {
    return link.hasTopic(this.#consumer, topic)
  }

  /** The first plan whose classified topic exists: those before it are done with. */
  async firstInUse(link: KafkaLink, group: string): Promise<WorkerPlan> {
    for (const epoch of [...this.#plans.keys()].sort((a, b) => a - b))
      if (await this.hasTopic(link, namesOf(group, epoch).classified)) return this.of(epoch)
    return this.current
  }

  /** Reads everything that the topic has now. */
  async refresh(link: KafkaLink): Promise<void> {
    const asked = callAgain<{ highOffset: number }>((done) =>
      this.#consumer.queryWatermarkOffsets(this.#topic, 0, patience, done),
    )
    const { highOffset } = await link.asking(asked)
    while (this.#end < highOffset) await link.asking(this.#read())
  }

  /** Looks for new plans, at most once a second. */
  async look(): Promise<void> {
    const now = performance.now()
    if (now - this.#lookedAt < lookMilliseconds) return
    this.#lookedAt = now
    await this.#read()
  }

  async #read(): Promise<void> {
    for (const { key, value } of await call<KafkaMessage[]>((done) => this.#consumer.consume(100, done))) {
      const [name, number] = keyForm.exec(String(key)) ?? []
      if (value === null || name === undefined) continue
      if (name === begunKey(Number(number))) {
        this.#begun.add(Number(number))
        continue
      }
      const plan = decodePlan(value, this.#topic)
      this.#plans.set(plan.epoch, plan)
    }
  }

  async close(): Promise<void> {
    await endCalls([call((done) => this.#consumer.disconnect(done))])
  }
}

/** The message that puts a plan in force, or replaces it by one of the same number. */
export function planMessage(group: string, plan: WorkerPlan): ControlMessage {
  return { topic: namesOf(group, 0).plan, partition: 0, key: keyOf(plan.epoch), value: encodePlan(plan) }
}

/** The message that a partition of the input was begun. It stays when Kafka forgets the position. */
export function begunMessage(group: string, input: number): ControlMessage {
  return { topic: namesOf(group, 0).plan, partition: 0, key: begunKey(input), value: Buffer.from("1") }
}
