import { QueryveilError } from "../../kernels/error.ts"
import { call, callAgain, endCalls } from "../kafka/kafka-library.ts"
import { type KafkaLink, patience } from "../kafka/kafka-link.ts"
import { largestMessage } from "./partition-client.ts"
import type { PlanWatch } from "./plan-topic.ts"
import { namesOf, type WorkerPlan } from "./worker-plan.ts"

/** A message that is not about what was read. */
export interface ControlMessage {
  topic: string
  partition: number
  key?: string
  value: Buffer
}

/** Writes messages, all or none. */
export type WriteControl = (messages: readonly ControlMessage[]) => Promise<void>

/** A newer producer has the transactional id: the client's own code, and those of brokers. */
const fenced = new Set([-144, 47, 90])

/**
 * Changes a group of workers. Of two changes with the same name at the same time, the earlier one fails when it writes.
 * So a change that is made of the newest plan is never written over a newer one: read the plan inside.
 */
export async function changeGroup<T>(
  link: KafkaLink,
  name: string,
  change: (write: WriteControl) => Promise<T>,
): Promise<T> {
  const producer = await link.transactionalProducer(`${name}.control`, { "message.max.bytes": largestMessage })
  const write: WriteControl = async (messages) => {
    await call((done) => producer.beginTransaction(done))
    for (const { topic, partition, key, value } of messages)
      producer.produce(topic, partition, value, key === undefined ? null : Buffer.from(key))
    await call((done) => producer.commitTransaction(patience, done))
  }
  try {
    await link.asking(callAgain((done) => producer.initTransactions(patience * 2, done)))
    return await change((messages) =>
      write(messages).catch((cause) => {
        if (!(cause instanceof Error && "code" in cause && fenced.has(Number(cause.code))))
          return link.asking<void>(Promise.reject(cause))
        throw new QueryveilError("kafka-state", `Another change of ${name} was made at the same time. Try again.`, {
          cause,
        })
      }),
    )
  } finally {
    await endCalls([call((done) => producer.disconnect(1000, done))])
  }
}

/**
 * The plans whose partitions may still take messages: the one in force, and the one before while its topic exists. A
 * change goes to all of them, because some partitions may not have handed over yet.
 */
export async function plansInUse(link: KafkaLink, group: string, plans: PlanWatch): Promise<WorkerPlan[]> {
  const { current } = plans
  const before = plans.before(current)
  const isThere = before !== undefined && (await plans.hasTopic(link, namesOf(group, before.epoch).classified))
  return isThere ? [before, current] : [current]
}
