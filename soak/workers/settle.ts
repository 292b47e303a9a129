import { setTimeout as wait } from "node:timers/promises"
import { committedOffset, openReader } from "../../servers/kafka-client.ts"
import type { Findings } from "../findings.ts"

/** Milliseconds within which everything must go through both hops. */
const patience = 180_000

/** A hop: a consumer group that must read a whole topic. */
interface Hop {
  group: string
  topic: string
  partitions: number
}

/** Waits until each hop has committed everything in its topic. A topic is complete when the hop before is done. */
export async function settleHops(addresses: string, hops: readonly Hop[], findings: Findings): Promise<void> {
  const until = Date.now() + patience
  for (const hop of hops) {
    const behind = await settleHop(addresses, hop, until)
    if (behind.length > 0) findings.add("not everything went through", `${hop.group}: ${behind.join("; ")}`)
  }
}

/** Returns the partitions that are behind when the time is over. */
async function settleHop(addresses: string, { group, topic, partitions }: Hop, until: number): Promise<string[]> {
  const reader = await openReader(addresses, topic, { isolation: "read_committed", partitions })
  const ends = new Array<number>(partitions).fill(0)
  let calm = 0
  let behind: string[] = []
  // The end of a transaction may become visible a moment after its offset: so the hop must be through twice in a row.
  while (calm < 2 && Date.now() < until) {
    for (const { partition, offset } of await reader.rest()) ends[partition] = offset + 1
    behind = []
    for (const [partition, end] of ends.entries()) {
      const committed = await committedOffset(addresses, group, { topic, partition }).catch(() => undefined)
      const offset = committed?.offset ?? 0
      if (offset < end) behind.push(`partition ${partition} at ${offset} of ${end}`)
    }
    calm = behind.length === 0 ? calm + 1 : 0
    await wait(500)
  }
  await reader.close()
  return behind
}
