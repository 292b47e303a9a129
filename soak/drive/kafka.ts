import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { createTopic, openReader, openSender } from "../../servers/kafka-client.ts"
import { startCluster } from "../../servers/kafka-cluster.ts"
import { idAt, jsonOf } from "../searches.ts"
import type { Driver, World } from "./driver.ts"

const partitions = 2

/** From a topic to a topic of one broker, watched by a reader who also sees what is not committed. */
export async function kafkaDriver(world: World): Promise<Driver> {
  const { random, sent, findings, folder } = world
  const cluster = await startCluster(join(folder, "kafka"))
  const { addresses } = cluster
  await createTopic(addresses, "searches")
  await createTopic(addresses, "released", { partitions })
  const sender = await openSender(addresses, "searches")
  const hasty = await openReader(addresses, "released", { isolation: "read_uncommitted", partitions })
  const patient = await openReader(addresses, "released", { isolation: "read_committed", partitions })
  const lines: string[] = []
  /** What was seen under each number, committed or not. */
  const seen: string[] = []
  let progress = 0
  let newest = -1
  let isOver = false

  const look = async () => {
    while (!isOver) {
      for (const { value } of await hasty.some()) {
        const text = String(value)
        const { seq, time }: { seq: number; time: string } = JSON.parse(text)
        seen[seq] ??= text
        if (seen[seq] !== text) findings.add("a release has changed", `number ${seq}`)
        newest = Math.max(newest, idAt(time))
        progress++
      }
    }
  }
  const looking = look()
  const grow = (most: number) =>
    sender.send(Array.from({ length: 1 + random.below(most) }, world.makeSearch).map(jsonOf))
  await grow(200)
  return {
    isLossless: true,
    isAnswered: false,
    places: ({ isLast }) => [
      ...["--input", `kafka://${addresses}/searches${isLast ? "?stop=end" : ""}`],
      ...["--output", `kafka://${addresses}/released`, "--to", "jsonl"],
    ],
    async feed(life, signal) {
      await grow(1000)
      while (!signal.aborted && !life.isOver()) {
        await wait(random.below(15))
        await grow(60)
      }
    },
    progress: () => progress,
    async collect() {
      // A cell shows the time of the search that closed it, so all searches before that one were accepted.
      sent.takenUpTo(newest)
      for (const { value } of await patient.rest()) {
        const text = String(value)
        const { seq }: { seq: number } = JSON.parse(text)
        if (lines[seq] !== undefined) findings.add("a release was committed twice", `number ${seq}`)
        if (seen[seq] !== undefined && seen[seq] !== text) findings.add("a release has changed", `number ${seq}`)
        lines[seq] = text
      }
    },
    async finish() {},
    lines: () => lines,
    async close() {
      isOver = true
      await looking
      await Promise.all([sender.close(), hasty.close(), patient.close()])
      await cluster.close()
    },
  }
}
