import { randomUUID } from "node:crypto"
import { call, callAgain, endCalls, type KafkaMessage, type LibraryConsumer } from "../kafka/kafka-library.ts"
import { type KafkaLink, patience } from "../kafka/kafka-link.ts"
import type { WorkerReport } from "./group-figures.ts"
import type { WorkerFigures } from "./worker-figures.ts"
import { namesOf } from "./worker-plan.ts"

/** How often a worker reports. */
const everyMilliseconds = 3000
/** The last messages that a new reader looks at. They contain the latest report of hundreds of workers. */
const lookBack = 1000
const readAtOnce = 500

interface ReportParts {
  link: KafkaLink
  group: string
  figures(): WorkerFigures
  warn(text: string): void
}

/**
 * Reports the figures of a worker to the group's topic of figures while the work runs. Work never waits for a report,
 * and a report that cannot be written is dropped: the next one says more.
 */
export async function reportFigures(parts: ReportParts, work: () => Promise<void>): Promise<void> {
  const { link, group, figures, warn } = parts
  const { figures: topic } = namesOf(group, 0)
  const producer = await link.reportProducer()
  const worker = randomUUID()
  let isMissed = false
  const report = (hasEnded: boolean) => {
    const value: WorkerReport = { ...figures(), worker, hasEnded }
    try {
      producer.produce(topic, 0, Buffer.from(JSON.stringify(value)), Buffer.from(worker))
    } catch (error) {
      if (!isMissed) warn(`The figures of this worker cannot be reported: ${String(error)}`)
      isMissed = true
    }
  }
  const timer = setInterval(() => report(false), everyMilliseconds)
  try {
    report(false)
    await work()
  } finally {
    clearInterval(timer)
    report(true)
    await endCalls([
      call((done) => producer.flush(1000, done)).then(() => call((done) => producer.disconnect(1000, done))),
    ])
  }
}

/** Takes a report that was written at this time. */
type TakeReport = (report: WorkerReport, at: number) => void

/** Reads what the workers of a group report. */
export class FiguresWatch {
  readonly #link: KafkaLink
  readonly #consumer: LibraryConsumer
  readonly #take: TakeReport

  private constructor(link: KafkaLink, consumer: LibraryConsumer, take: TakeReport) {
    this.#link = link
    this.#consumer = consumer
    this.#take = take
    consumer.setDefaultConsumeTimeout(0)
  }

  /** Begins with reports of the last minutes. */
  static async open(link: KafkaLink, group: string, take: TakeReport): Promise<FiguresWatch> {
    const { figures: topic } = namesOf(group, 0)
    const consumer = await link.consumer(topic, "read_committed")
    const watch = new FiguresWatch(link, consumer, take)
    try {
      await link.requireTopic(consumer, topic)
      const asked = callAgain<{ lowOffset: number; highOffset: number }>((done) =>
        consumer.queryWatermarkOffsets(topic, 0, patience, done),
      )
      const { lowOffset, highOffset } = await link.asking(asked)
      consumer.assign([{ topic, partition: 0, offset: Math.max(lowOffset, highOffset - lookBack) }])
      return watch
    } catch (error) {
      await watch.close()
      throw error
    }
  }

  /** Takes the reports that have arrived. */
  async look(): Promise<void> {
    for (;;) {
      const read = call<KafkaMessage[]>((done) => this.#consumer.consume(readAtOnce, done))
      const messages = await this.#link.asking(read)
      for (const { value, timestamp = Number.POSITIVE_INFINITY } of messages) {
        const report = reportFrom(value)
        if (report !== undefined) this.#take(report, Math.min(Date.now(), timestamp))
      }
      if (messages.length < readAtOnce) return
    }
  }

  async close(): Promise<void> {
    await endCalls([call((done) => this.#consumer.disconnect(done))])
  }
}

/** A report of a worker. Undefined if the message is none, or is one of a version that reports something else. */
export function reportFrom(value: Buffer | null): WorkerReport | undefined {
  try {
    const found: unknown = JSON.parse(value?.toString("utf8") ?? "null")
    return isReport(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** Looks at what is needed to add reports up. */
function isReport(found: unknown): found is WorkerReport {
  if (typeof found !== "object" || found === null) return false
  const { worker, role, now, partitions, largest }: Partial<Record<keyof WorkerReport, unknown>> = found
  const isPartition = (each: unknown) => typeof each === "object" && each !== null && "topic" in each
  return (
    [worker, role].every((each) => typeof each === "string") &&
    typeof now === "number" &&
    [partitions, largest].every(Array.isArray) &&
    Array.isArray(partitions) &&
    partitions.every(isPartition)
  )
}
