import { QueryveilError } from "../../kernels/error.ts"
import { call, callAgain, type LibraryConsumer, type PartitionOffset } from "../kafka/kafka-library.ts"
import { type KafkaLink, patience } from "../kafka/kafka-link.ts"
import type { WriteControl } from "./change-group.ts"
import { createTopics, type MadeTopic } from "./create-topics.ts"
import { namesOf, type WorkerPlan } from "./worker-plan.ts"

/**
 * Puts a new plan in force for a running group. Classifiers end what they send under the present plan and go on under
 * the new one. Partitions of the present plan hand over what waits. A group that is still handing over is refused.
 */
export async function replan(
  link: KafkaLink,
  group: string,
  options: {
    current: WorkerPlan
    changes: Pick<WorkerPlan, "settings" | "partitions" | "table">
    write: WriteControl
  },
): Promise<{ plan: WorkerPlan; topics: MadeTopic[] }> {
  const { current, changes, write } = options
  const consumer = await link.consumer(namesOf(group, 0).swap, "read_committed")
  try {
    const { classified, released } = namesOf(group, current.epoch)
    await refuseHandingOver(consumer, { group, topic: classified, partitions: current.partitions })
    const shown = await link.countPartitions(consumer, released)
    const plan = {
      ...current,
      ...changes,
      epoch: current.epoch + 1,
      previous: { partitions: current.partitions },
    }
    if (plan.partitions > shown) await link.addPartitions(released, plan.partitions)
    return { plan, topics: await createTopics(link, group, { plan, write }) }
  } finally {
    await call((done) => consumer.disconnect(done)).catch(() => {})
  }
}

/** A partition commits its offset when it begins. Until all have begun, the handover before may not be complete. */
async function refuseHandingOver(
  consumer: LibraryConsumer,
  { group, topic, partitions }: { group: string; topic: string; partitions: number },
): Promise<void> {
  const asked = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }))
  const found = await callAgain<PartitionOffset[]>((done) => consumer.committed(asked, patience, done))
  const begun = found.filter(({ offset }) => offset !== undefined).length
  if (begun === partitions) return
  throw new QueryveilError(
    "kafka-state",
    [
      `The group of workers ${group}: ${partitions - begun} of its ${partitions} partitions have not begun.`,
      "Start its workers, wait until all have, and try again.",
    ].join(" "),
  )
}
