import { QueryveilError } from "../../kernels/error.ts"
import { call, callAgain, type LibraryConsumer, type PartitionOffset } from "../kafka/kafka-library.ts"
import { type KafkaLink, patience } from "../kafka/kafka-link.ts"
import type { ControlMessage } from "./change-group.ts"
import { begunMessage } from "./plan-topic.ts"
import { namesOf } from "./worker-plan.ts"

/**
 * Says where a new group begins to read its input. Refuses a topic that may lose searches, and a group whose name an
 * earlier group had: its positions are still there. Returns messages that belong to the plan.
 */
export async function beginInput(
  link: KafkaLink,
  group: string,
  { input, start }: { input: string; start: "beginning" | "end" },
): Promise<ControlMessage[]> {
  const { classify } = namesOf(group, 0)
  const consumer = await link.consumer(classify, "read_committed")
  try {
    const { partitions } = await link.topic(consumer, { as: "input" }, input)
    const places = partitions.map((partition) => ({ topic: input, partition }))
    const found = await link.asking(callAgain<PartitionOffset[]>((done) => consumer.committed(places, patience, done)))
    if (found.some(({ offset }) => offset !== undefined))
      throw new QueryveilError(
        "kafka-state",
        [
          `A group of workers named ${group} has read ${input} before. Choose another name, or delete its positions:`,
          `kafka-consumer-groups.sh --delete --group ${classify}.`,
        ].join(" "),
      )
    if (start === "beginning") return []
    await link.asking(commitEnds(consumer, places))
    return partitions.map((partition) => begunMessage(group, partition))
  } finally {
    await call((done) => consumer.disconnect(done)).catch(() => {})
  }
}

async function commitEnds(consumer: LibraryConsumer, places: readonly PartitionOffset[]): Promise<void> {
  const ends = await Promise.all(
    places.map(async ({ topic, partition }) => {
      const { highOffset } = await callAgain<{ highOffset: number }>((done) =>
        consumer.queryWatermarkOffsets(topic, partition, patience, done),
      )
      return { topic, partition, offset: highOffset }
    }),
  )
  await callAgain((done) => consumer.commitCb(ends, done))
}
