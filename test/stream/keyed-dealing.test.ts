import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { hashPair } from "#dist/kernels/pair-hash.js"
import { derivePairSeeds } from "#dist/kernels/pair-seeds.js"
import { readLog } from "#dist/log/read-log.js"
import { orderArrivals } from "#dist/methods/swap/order-arrivals.js"
import { swapArrivals } from "#dist/methods/swap/swap-log.js"
import type { LiveStream, StreamChange } from "#dist/stream/live/live-stream.js"
import type { StreamOutput } from "#dist/stream/live/transport.js"
import { type StoreSecrets, secretsOf } from "#dist/stream/store/store-secrets.js"
import { cutTopics } from "#dist/swapper/categories.js"
import { positionSeeds } from "#dist/swapper/dealing-secret.js"
import { keyedCells } from "#dist/swapper/keyed-cells.js"
import { openLogTopics } from "#dist/taxonomy/classify/log-topics.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import {
  type Line,
  linesOf,
  memoryOutput,
  offerLines,
  openRun,
  queryPaths,
  releasedOf,
  topicsFile,
} from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(400), "paths.tsv")

/** Searches a second apart, of few texts, so that some are repeats, some exceed the backlog and some coincide. */
const searches = Array.from({ length: 900 }, (_, i): Line => {
  const time = new Date(Date.UTC(2026, 2, 1) + i * 1000).toISOString().slice(0, 19).replace("T", " ")
  return { user: `u${(i * i * 7 + i) % 23}`, query: `w${(i * 31 + (i >> 3)) % 200}`, time }
})

const settings = { k: 3, depth: 2 }

const copyOf = (store: string) => {
  const folder = fresh("copy")
  cpSync(store, folder, { recursive: true, filter: (path) => !path.includes("lock") })
  return folder
}

const secretOf = (store: string) => secretsOf(JSON.parse(readFileSync(join(store, "store.json"), "utf8"))).dealing

const parts: { change?: StreamChange; lines: Line[] }[] = [
  { lines: searches.slice(0, 250) },
  { change: { depth: 1 }, lines: searches.slice(250, 400) },
  { change: { depth: 2 }, lines: searches.slice(400, 600) }, // categories that existed before
  { change: { k: 2, withhold: ["cars"] }, lines: searches.slice(600, 700) },
  { change: { reopen: ["cars"] }, lines: searches.slice(700) },
]

/** Plays parts on a store. `between` may replace the running stream by another. */
async function playParts(
  given: readonly (typeof parts)[number][],
  stream: LiveStream,
  between: (stream: LiveStream, live: typeof settings) => Promise<LiveStream>,
): Promise<void> {
  let running = stream
  let live = settings
  for (const { change, lines } of given) {
    if (change !== undefined) await running.configure(change)
    live = { k: change?.k ?? live.k, depth: change?.depth ?? live.depth }
    await offerLines(running, lines)
    await running.drain()
    running = await between(running, live)
  }
  await running.close()
}

test("the same input gives the same bytes after crashes and restarts, between changes of k and depth", async () => {
  const begun = fresh()
  const open = (store: string, output: StreamOutput, live = settings) =>
    openRun({ store, taxonomy, classifier, output, live })
  await (await open(begun, memoryOutput())).close()
  const [straight, restarted] = [memoryOutput(), memoryOutput()]

  const crashes: { store: string; written: string; live: typeof settings }[] = []
  const store = copyOf(begun)
  await playParts(parts, await open(store, straight), async (stream, live) => {
    crashes.push({ store: copyOf(store), written: straight.text(), live })
    return stream
  })
  expect(releasedOf(straight).length).toBeGreaterThan(400)

  // A closed stream leaves a checkpoint, a crashed one its journal.
  const other = copyOf(begun)
  await playParts(parts, await open(other, restarted), async (stream, live) => {
    await stream.close()
    return open(other, restarted, live)
  })
  expect(restarted.text()).toBe(straight.text())
  for (const [i, crash] of crashes.slice(0, -1).entries()) {
    const again = memoryOutput(crash.written)
    await playParts(parts.slice(i + 1), await open(crash.store, again, crash.live), async (stream) => stream)
    expect(again.text()).toBe(straight.text())
  }
})

test("a log is dealt as a stream of the same searches under the same key", async () => {
  const store = fresh()
  const output = memoryOutput()
  const live = { ...settings, repeats: "once", scrub: "none" } as const
  const stream = await openRun({ store, taxonomy, classifier, output, live })
  await offerLines(stream, searches)
  await stream.close()

  const context = createContext({ seed: 3, workers: 1 })
  const { log } = await readLog(write(linesOf(searches), "log.jsonl"), {}, context)
  const topics = await openLogTopics(log, { taxonomy, classifier }, context)
  const cut = cutTopics(topics.taxonomy, { depth: settings.depth, sensitive: [] })
  const swapUnder = async (secret: StoreSecrets["dealing"]) => {
    const arrivals = orderArrivals(log, topics.topicOf, { seeds: positionSeeds(secret) })
    const category = arrivals.topic.map((topic) => cut[topic] ?? -1)
    const randomOfCell = keyedCells({ secret, pathOf: (node) => topics.taxonomy.path(node) })
    const rules = {
      k: settings.k,
      mode: "strict",
      backlog: 2,
      minQueryUsers: 1,
      repeats: "once",
      randomOfCell,
    } as const
    const { sequence, as } = await swapArrivals(arrivals, category, rules, context)
    return Array.from(sequence, (record) => {
      const [text, user] = [arrivals.text[record], arrivals.user[as[record] ?? -1]]
      return `${log.users.text(user ?? -1)} ${log.queries.text(text ?? -1)}`
    })
  }
  const released = releasedOf(output).map(({ user, query }) => `${user} ${query}`)
  expect(released.length).toBeGreaterThan(300)
  const secret = secretOf(store)
  expect(await swapUnder(secret)).toEqual(released)
  expect(await swapUnder({ ...secret, version: 2 })).not.toEqual(released)
  expect(await swapUnder({ ...secret, key: Buffer.alloc(32) })).not.toEqual(released)
})

test("a store of an earlier version withholds what it released, and deals the same after a restart", async () => {
  const begun = fresh()
  const live = { ...settings, repeats: "once", scrub: "none" } as const
  const open = (store: string, output: StreamOutput) => openRun({ store, taxonomy, classifier, output, live })
  await (await open(begun, memoryOutput())).close()
  const path = join(begun, "store.json")
  const { dealing, ...facts } = JSON.parse(readFileSync(path, "utf8"))
  expect(dealing).toBe(2)
  writeFileSync(path, `${JSON.stringify(facts)}\n`) // as an earlier version wrote it
  const [straight, restarted] = [memoryOutput(), memoryOutput()]
  const [store, other] = [begun, copyOf(begun)]
  for (const [folder, output, parts] of [
    [store, straight, [searches]],
    [other, restarted, [searches.slice(0, 450), searches.slice(450)]],
  ] as const)
    for (const part of parts) {
      const stream = await open(folder, output)
      await offerLines(stream, part)
      await stream.close()
    }
  expect(restarted.text()).toBe(straight.text())

  const released = releasedOf(straight)
  expect(released.length).toBeGreaterThan(300)
  const bytes = readFileSync(join(store, "released-1.bin"))
  const seeds = derivePairSeeds(Buffer.from(facts.key, "hex"), "released pairs")
  const found = new Set(Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readBigUInt64LE(i * 8)))
  const pairOf = ({ user, query }: Line) => {
    const [high, low] = hashPair(Buffer.from(user), Buffer.from(query), seeds)
    return (BigInt(low) << 32n) | BigInt(high)
  }
  const repeated = searches.filter((search) => found.has(pairOf(search))).length
  expect(repeated).toBeGreaterThanOrEqual(released.length)
  const again = await open(store, straight)
  const before = again.figures().withheld.repeated ?? 0
  await offerLines(again, searches)
  expect((again.figures().withheld.repeated ?? 0) - before).toBeGreaterThanOrEqual(repeated)
  await again.close()
})
