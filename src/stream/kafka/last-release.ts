import { call, type KafkaMessage, type LibraryConsumer } from "./kafka-library.ts"
import { patience } from "./kafka-link.ts"

const firstReach = 1000

/**
 * The highest release number in a topic, read from the ends of its partitions; -1 if there is none. Aborted messages do
 * not count. For a stream that was away for so long that the cluster forgot how far it had come.
 */
export async function lastRelease(
  consumer: LibraryConsumer,
  { topic, partitions }: { topic: string; partitions: readonly number[] },
): Promise<number> {
  let last = -1
  const ended = new Set<number>()
  consumer.on("partition.eof", ({ partition }) => ended.add(partition))
  for (const partition of partitions) {
    const { lowOffset, highOffset } = await call<{ lowOffset: number; highOffset: number }>((done) =>
      consumer.queryWatermarkOffsets(topic, partition, patience, done),
    )
    for (let reach = firstReach; ; reach *= 10) {
      const from = Math.max(lowOffset, highOffset - reach)
      const found = from >= highOffset ? -1 : await highestFrom(from, partition)
      last = Math.max(last, found)
      if (found >= 0 || from <= lowOffset) break
    }
  }
  return last

  /** The highest number from an offset to the end of a partition. */
  async function highestFrom(offset: number, partition: number): Promise<number> {
    let highest = -1
    ended.delete(partition)
    consumer.assign([{ topic, partition, offset }])
    while (!ended.has(partition)) {
      const messages = await call<KafkaMessage[]>((done) => consumer.consume(1000, done))
      for (const { value } of messages) highest = Math.max(highest, numberOf(value))
    }
    consumer.assign([])
    return highest
  }
}

/** The number of a release: `{"seq":N,…` in JSON, the first column in a table. */
function numberOf(value: Buffer | null): number {
  const found = /^(?:\{"seq":)?(\d+)[,\t}]/.exec(value?.toString("latin1", 0, 40) ?? "")
  return found === null ? -1 : Number(found[1])
}
