// A live stream: it releases each search under the name of another user who searched within the same topic.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createContext } from "queryveil"
import { batchRecords, callbackOutput, startStream } from "queryveil/stream"

const store = await mkdtemp(join(tmpdir(), "queryveil-"))
const released = []
const stream = await startStream(
  store,
  // `keep` shows here which users were swapped. A real stream shows new names in every cell.
  { k: 3, depth: 4, users: "keep" },
  { output: callbackOutput((record) => released.push(record)) },
  createContext(),
)

const people = ["ann", "ben", "cid", "dora", "eve", "finn"]
const searches = ["dog", "cat", "sparrow", "trout", "beetle", "frog"]
const asked = people.flatMap((user, i) =>
  searches.map((animal, j) => ({ user, query: `${animal} picture ${i}`, time: 1_772_400_000 + j })),
)
const receipt = await stream.offer(batchRecords(asked)).receipt // resolves when the searches would survive a crash
await stream.drain()
const { waiting } = stream.figures()
await stream.close()

process.stdout.write(`accepted ${receipt.taken}, released ${released.length}, waiting for other users ${waiting}\n\n`)
const askerOf = new Map(asked.map(({ user, query }) => [query, user]))
for (const { user, query } of released.slice(0, 6)) {
  process.stdout.write(`${query.padEnd(20)} searched by ${askerOf.get(query).padEnd(5)} released as ${user}\n`)
}
const own = released.filter(({ user, query }) => askerOf.get(query) === user).length
process.stdout.write(`\nreleased under the name of its own user: ${own}\n`)
