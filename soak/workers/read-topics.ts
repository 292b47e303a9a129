import { setTimeout as wait } from "node:timers/promises"
import { openReader, type ReadMessage } from "../../servers/kafka-client.ts"
import type { PartitionAnswer } from "./crew.ts"
import type { NumberedSearch } from "./numbered-searches.ts"

/** A release as a reader sees it. */
export interface SeenRelease {
  partition: number
  text: string
  seq: number
  user: string
  query: string
  category: string
}

/** Milliseconds within which the last transactions must become visible. */
const patience = 30_000

/** Searches in the input, in the order of its partitions. */
export async function readInput(addresses: string, topic: string, partitions: number): Promise<NumberedSearch[]> {
  const reader = await openReader(addresses, topic, { isolation: "read_committed", partitions })
  const messages = await reader.rest()
  await reader.close()
  return messages.map(({ value }): NumberedSearch => JSON.parse(String(value)))
}

/** By partition: the numbers of the searches that classifiers passed on. Their messages have texts as they are. */
export async function readClassified(addresses: string, topic: string, partitions: number): Promise<number[][]> {
  const reader = await openReader(addresses, topic, { isolation: "read_committed", partitions })
  const numbers = Array.from({ length: partitions }, (): number[] => [])
  for (const { partition, value } of await reader.rest())
    for (const [, number] of String(value?.toString("latin1")).matchAll(/ qtx(\d+)/g))
      numbers[partition]?.push(Number(number))
  await reader.close()
  return numbers
}

/** All releases. If `expected` is given, waits until as many are committed in each partition. */
export async function readReleases(
  addresses: string,
  topic: string,
  options: {
    partitions: number
    isolation: "read_committed" | "read_uncommitted"
    expected?: ReadonlyMap<number, PartitionAnswer>
  },
): Promise<SeenRelease[]> {
  const { partitions, isolation, expected = new Map<number, PartitionAnswer>() } = options
  const reader = await openReader(addresses, topic, { isolation, partitions })
  const releases: SeenRelease[] = []
  const counts = new Array<number>(partitions).fill(0)
  const until = Date.now() + patience
  for (;;) {
    for (const message of await reader.rest()) {
      releases.push(parseRelease(message))
      counts[message.partition] = (counts[message.partition] ?? 0) + 1
    }
    const isComplete = [...expected.values()].every((each) => (counts[each.partition] ?? 0) >= each.released)
    if (isComplete || Date.now() > until) break
    await wait(300)
  }
  await reader.close()
  return releases
}

function parseRelease({ value, partition }: ReadMessage): SeenRelease {
  const text = String(value)
  const { seq, user, query, category }: Omit<SeenRelease, "text" | "partition"> = JSON.parse(text)
  return { partition, text, seq, user, query, category }
}
