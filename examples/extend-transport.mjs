// Runs a stream with your own transport, from one folder of files to another, and restarts it. The transport is in
// extensions/spool-transport.mjs.
import assert from "node:assert/strict"
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createContext } from "queryveil"
import { openInput, openOutput, serveStream, startStream } from "queryveil/stream"
import "./extensions/spool-transport.mjs"

const folder = await mkdtemp(join(tmpdir(), "queryveil-"))
const [store, from, to] = ["store", "in", "out"].map((name) => join(folder, name))
await mkdir(from)

const people = ["ann", "ben", "cid", "dora", "eve", "finn"]
const animals = ["dog", "cat", "sparrow", "trout", "beetle", "frog"]
/** One file: each of the people asks about each animal. */
const put = (day) => {
  const time = 1_772_400_000 + 86_400 * day
  const searches = people.flatMap((user, i) =>
    animals.map((animal, j) => ({ user, query: `${animal} picture ${i} ${day}`, time: time + j })),
  )
  const lines = searches.map((search) => `${JSON.stringify(search)}\n`)
  return writeFile(join(from, `day-${day}.ndjson`), lines.join(""))
}

async function run() {
  const output = openOutput(`spool:${to}`)
  const stream = await startStream(store, { k: 3, depth: 4 }, { output }, createContext())
  const before = stream.figures().lines
  await serveStream(stream, { inputs: [openInput(`spool:${from}`)], signal: new AbortController().signal })
  const { lines, released } = stream.figures()
  return { read: lines - before, released }
}

await put(1)
await put(2)
const first = await run()
await put(3)
const second = await run() // continues after day 2

const files = (await readdir(to)).sort()
const texts = await Promise.all(files.map((file) => readFile(join(to, file), "utf8")))
const released = texts.flatMap((text) => text.trimEnd().split("\n")).map((line) => JSON.parse(line))
assert.deepEqual([first.read, second.read], [72, 36])
assert.deepEqual(
  released.map(({ seq }) => seq),
  released.map((_, i) => i),
)
assert.ok(first.released > 0 && second.released > first.released)
assert.equal(released.length, second.released)
process.stdout.write(`first run:  ${first.read} searches read, ${first.released} released\n`)
process.stdout.write(`second run: ${second.read} searches read, ${second.released - first.released} released\n`)
process.stdout.write(`${files.length} files in the output, each release once\n`)
