import { join } from "node:path"
import { openInput, openOutput } from "#dist/stream/transports/open-endpoint.js"
import { copyTopic, createTopic, deleteGroup } from "../../servers/kafka-client.ts"
import { type Finding, timed } from "../case.ts"
import { openStream } from "../stream.ts"
import { fillInput, withKafka } from "./kafka-setting.ts"

const searches = 1_000_000
const partitions = 2
const rounds = 3
/** Messages in a transaction of the bare copy. */
const batch = 20_000

/** Copies a topic bare and through a stream, by turns, with the same client, brokers and messages. */
export function topicToTopic(): Promise<Finding> {
  return withKafka(async (setting) => {
    const { addresses, folder } = setting
    await fillInput(setting, { topic: "searches", partitions, searches })
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
  })
}
