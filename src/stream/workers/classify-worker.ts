import type { RunContext } from "../../kernels/context.ts"
import { randomHashSeed } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { rejectReasons } from "../../log/formats/parsed-block.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { LineChoice } from "../inputs/line-format.ts"
import type { KafkaMessage } from "../kafka/kafka-library.ts"
import type { KafkaLink } from "../kafka/kafka-link.ts"
import { MessagePlans } from "../kafka/message-plans.ts"
import type { WithheldReason } from "../live/core-options.ts"
import type { TextSpan } from "../live/live-records.ts"
import type { Preparation } from "../live/prepare.ts"
import type { PreparedBlock } from "../live/prepare-block.ts"
import { RecordCollector } from "../live/record-collector.ts"
import { topicOfRow, whyNoTopic } from "../live/topic-of-row.ts"
import { encodeEnd, encodeRecords } from "./classified-message.ts"
import { lostText, type OutgoingMessage, PartitionClient, type PartitionPlace } from "./partition-client.ts"
import { begunMessage, type PlanWatch } from "./plan-topic.ts"
import type { PartitionMeter } from "./worker-meter.ts"
import { namesOf, partitionOfTopics, type WorkerPlan } from "./worker-plan.ts"

const mostMessages = 10_000
/** A message is sent when its searches have this many bytes of text, or there are this many. */
const blockBytes = 256 << 10
const blockRecords = 8192
/** The most bytes of texts that a search may have. A block of searches fits into a message because of it. */
const longestTexts = 24 << 10
/** How often a position is committed again while nothing arrives. */
const renewMilliseconds = 3_600_000

export interface ClassifyWorkerParts {
  link: KafkaLink
  group: string
  plans: PlanWatch
  taxonomy: Taxonomy
  preparation: Preparation
  choice: LineChoice
  context: RunContext
  totals: ClassifiedTotals
  meter: PartitionMeter
  warn(text: string): void
}

/** What a classifier did since it started. No text of a search. */
export class ClassifiedTotals {
  messages = 0
  classified = 0
  readonly rejected: Record<string, number> = {}
  readonly withheld: Record<string, number> = {}

  reject(reason: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1
  }

  withhold(reason: WithheldReason): void {
    this.withheld[reason] = (this.withheld[reason] ?? 0) + 1
  }
}

/**
 * Classifies the searches of one partition of the input, until the signal. When there is a new plan, it ends what it
 * sends under the old one, and notes with its offset which plan it follows. Both happen in one transaction.
 */
export async function classifyPartition(
  parts: ClassifyWorkerParts,
  { topic, partition }: PartitionPlace,
  signal: AbortSignal,
): Promise<void> {
  const { link, group, plans } = parts
  const client = await PartitionClient.open(link, { topic, partition }, namesOf(group, 0).classify)
  parts.meter.opened({ topic, partition }, client)
  try {
    let { next, plan, isNew } = await findPosition(parts, client, { topic, partition })
    let classifying = new Classifying(parts, plan)
    const lost = await client.begin(next)
    if (lost > 0) parts.warn(lostText({ topic, partition }, lost))
    client.lost = (messages) => parts.warn(lostText({ topic, partition }, messages))
    if (isNew) await client.transact([begunMessage(group, partition)], { offset: next, metadata: noteOf(plan) })
    let committedAt = performance.now()
    while (!signal.aborted) {
      for (let later = plans.after(plan); later !== undefined; later = plans.after(plan)) {
        await client.transact(endsOf(group, plan, partition), { offset: next, metadata: noteOf(later) })
        plan = later
        classifying = new Classifying(parts, plan)
      }
      const messages = await client.read(mostMessages)
      const last = messages.at(-1)
      // Kafka forgets a position that is not renewed for some days.
      if (last === undefined && performance.now() - committedAt < renewMilliseconds) continue
      const classified = await classifying.take(messages)
      next = last === undefined ? next : last.offset + 1
      await client.transact(classified, { offset: next, metadata: noteOf(plan) })
      committedAt = performance.now()
    }
  } finally {
    await client.close()
  }
}

/** Where to go on, and under which plan. `isNew` if the partition was never read. */
async function findPosition(
  { link, group, plans }: ClassifyWorkerParts,
  client: PartitionClient,
  { topic, partition }: PartitionPlace,
): Promise<{ next: number; plan: WorkerPlan; isNew: boolean }> {
  const { offset, metadata } = await client.committed()
  const epoch = epochOf(metadata)
  const isKnown = offset !== undefined && epoch !== undefined
  if (isKnown && plans.has(epoch)) return { next: offset, plan: plans.of(epoch), isNew: false }
  await plans.refresh(link) // another worker may have seen a plan that this one has not
  if (isKnown) return { next: offset, plan: plans.of(epoch), isNew: false }
  // It may have to end what swappers of an earlier plan wait for.
  const plan = await plans.firstInUse(link, group)
  if (offset !== undefined) return { next: offset, plan, isNew: !plans.hasBegun(partition) }
  if (!plans.hasBegun(partition)) return { next: await client.first(), plan, isNew: true }
  throw new QueryveilError(
    "kafka-state",
    [
      `kafka topic ${topic}, partition ${partition}: was read before, and its position is lost. Kafka forgets`,
      "positions that are not renewed (offsets.retention.minutes). To read it again would release searches twice.",
      `Set the position of the group ${namesOf(group, 0).classify}, or begin a new group. See docs/workers.md.`,
    ].join(" "),
  )
}

const noteForm = /^queryveil plan (\d+)$/
const noteOf = ({ epoch }: WorkerPlan) => `queryveil plan ${epoch}`

/** The plan that a committed offset belongs to. */
function epochOf(metadata = ""): number | undefined {
  const [, epoch] = noteForm.exec(metadata) ?? []
  return epoch === undefined ? undefined : Number(epoch)
}

/** Tells every partition of a plan that a partition of the input sends no more. */
function endsOf(group: string, { epoch, partitions }: WorkerPlan, input: number): OutgoingMessage[] {
  const { classified: topic } = namesOf(group, epoch)
  const value = encodeEnd(input)
  return Array.from({ length: partitions }, (_, partition) => ({ topic, partition, value }))
}

/** Turns messages of the input into messages of the classified topic. It keeps nothing from one call to the next. */
class Classifying {
  readonly #parts: ClassifyWorkerParts
  readonly #plan: WorkerPlan
  /** By topic: the partition of its category. */
  readonly #partitionOf: Int32Array
  readonly #readings: MessagePlans
  readonly #topic: string
  readonly #collectors: RecordCollector[]
  readonly #seeds = { seed: randomHashSeed(), low: randomHashSeed() }
  #ready: OutgoingMessage[] = []

  constructor(parts: ClassifyWorkerParts, plan: WorkerPlan) {
    this.#parts = parts
    this.#plan = plan
    this.#partitionOf = partitionOfTopics(plan, parts.taxonomy)
    this.#readings = new MessagePlans(parts.choice, `kafka topic ${plan.input}`)
    this.#topic = namesOf(parts.group, plan.epoch).classified
    this.#collectors = Array.from({ length: plan.partitions }, () => new RecordCollector())
  }

  async take(messages: readonly KafkaMessage[]): Promise<OutgoingMessage[]> {
    const { preparation, totals } = this.#parts
    this.#ready = []
    totals.messages += messages.length
    for (const { bytes, length, plan } of this.#readings.read(messages))
      this.#takeBlock(await preparation.prepare({ bytes, length, plan, skipLines: 0, ...this.#seeds }))
    for (let partition = 0; partition < this.#collectors.length; partition++) this.#send(partition)
    return this.#ready
  }

  #takeBlock(block: PreparedBlock): void {
    const { totals, context } = this.#parts
    const arrival = Math.floor(context.now() / 1000)
    for (const code of block.rejectReason) totals.reject(rejectReasons[code])
    for (let row = 0; row < block.query.length; row++) {
      const reason = this.#takeRow(block, row, arrival)
      if (reason === undefined) totals.classified++
      else totals.withhold(reason)
    }
  }

  #takeRow(block: PreparedBlock, row: number, arrival: number): WithheldReason | undefined {
    const { users, queries, urls } = block
    const query = block.query[row]
    if (query < 0) return "click"
    const topic = topicOfRow(block, row)
    if (topic < 0) return whyNoTopic(topic)
    if (block.user[row] < 0) return "no user"
    const texts = [textOf(users, block.user[row]), textOf(queries, query)]
    if (this.#plan.settings.urls === "keep" && block.url[row] >= 0) texts.push(textOf(urls, block.url[row]))
    if (texts.reduce((bytes, { start, end }) => bytes + end - start, 0) > longestTexts) return "long text"
    const partition = this.#partitionOf[topic]
    const collector = this.#collectors[partition]
    collector.add({ topic, time: block.time[row], arrival, rank: block.rank[row] }, texts)
    if (collector.count >= blockRecords || collector.bytes >= blockBytes) this.#send(partition)
    return undefined
  }

  #send(partition: number): void {
    const collector = this.#collectors[partition]
    if (collector.count === 0) return
    this.#ready.push({ topic: this.#topic, partition, value: encodeRecords(collector.take()) })
  }
}

const textOf = ({ arena, offsets }: { arena: Uint8Array; offsets: Uint32Array }, id: number): TextSpan => {
  return { bytes: arena, start: offsets[id], end: offsets[id + 1] }
}
