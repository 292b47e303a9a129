import { join } from "node:path"
import { openInput, openOutput } from "#dist/stream/transports/open-endpoint.js"
import { copyTopic, createTopic, deleteGroup, openSender } from "../servers/kafka-client.ts"
import { startCluster, whyNoKafka } from "../servers/kafka-cluster.ts"
import { type Bench, type Finding, timed } from "./case.ts"
import { byTime, openStream, orderByTime, record, withFolder } from "./stream.ts"
import { firstLines } from "./stream-http.ts"

const searches = 1_000_000
const fileRows = 4_000_000
const partitions = 2
const rounds = 3
/** Messages in a transaction of the bare copy. */
const batch = 20_000

/** Copies a topic bare and through a stream, by turns, with the same client, brokers and messages. */
async function topicToTopic(): Promise<Finding> {
  const why = whyNoKafka()
  if (why !== undefined) throw new Error(why)
  return withFolder(async (folder) => {
    const cluster = await startCluster(join(folder, "kafka"), { settings: { "log.segment.bytes": 1 << 28 } })
    try {
      const { addresses } = cluster
      await createTopic(addresses, "searches", { partitions })
      const sender = await openSender(addresses, "searches")
      const lines = await firstLines(byTime(fileRows), searches)
      for (let at = 0; at < lines.length; at += 50_000)
        await sender.send(lines.slice(at, at + 50_000).map((line) => record(line).trimEnd()))
      await sender.close()
      let [bare, through, released] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
      for (let round = 0; round < rounds; round++) {
        const [copied, swapped] = [`copied-${round}`, `released-${round}`]
        await createTopic(addresses, copied, { partitions })
        await createTopic(addresses, swapped, { partitions })
        const copy = await timed(() =>
          copyTopic(addresses, { from: "searches", to: copied, partitions, messages: searches, batch }),
        )
        bare = Math.min(bare, copy.seconds)
        const output = openOutput(`kafka://${addresses}/${swapped}`)
        const stream = await openStream(join(folder, `run-${round}`), {}, { output, to: "jsonl" })
        const input = openInput(`kafka://${addresses}/searches?stop=end`)
        // Each round has a store of its own, and takes the topic over from the one before.
        await deleteGroup(addresses, "queryveil.searches.input").catch(() => {}) // the first round finds none
        const run = await timed(async () => {
          await input.run(stream, new AbortController().signal)
          await stream.drain()
          await stream.close()
        })
        through = Math.min(through, run.seconds)
        released = stream.figures().released
      }
      return {
        count: searches,
        seconds: through,
        released,
        "bare copy (messages/s)": Math.round(searches / bare),
        "stream over bare copy": (bare / through).toFixed(2),
      }
    } finally {
      await cluster.close()
    }
  })
}

export const kafkaBench: Bench = {
  name: "kafka",
  prepare: () => orderByTime(fileRows),
  cases: [{ name: "topic → topic", run: topicToTopic }],
  targets: [
    {
      what: "topic → topic: rate over that of a bare transactional copy",
      limit: "≥ 0.5",
      check: (findings) => {
        const value = Number(findings.get("topic → topic")?.["stream over bare copy"])
        return { value: value.toFixed(2), met: value >= 0.5 }
      },
    },
  ],
}
