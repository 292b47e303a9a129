import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openFiles, type StoreFiles } from "#dist/files/folder-files.js"
import { createContext } from "#dist/kernels/context.js"
import { planLines } from "#dist/log/formats/detect-format.js"
import { fileInput } from "#dist/stream/inputs/file-input.js"
import type { LiveStream } from "#dist/stream/live/live-stream.js"
import { openLiveStream } from "#dist/stream/live/open-live-stream.js"
import type { LiveOptions, OutputFormat } from "#dist/stream/live/options.js"
import type { StreamOutput } from "#dist/stream/live/transport.js"
import { fileOutput } from "#dist/stream/outputs/file-output.js"
import { openStore, type StoreParts, storeParts } from "#dist/stream/store/open-store.js"
import { taxonomyFingerprint } from "#dist/taxonomy/fingerprint.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { type Bench, type Finding, rateAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"
import { firstLines, httpToFile } from "./stream-http.ts"

const rows = 12_000_000
const fewerRows = 4_000_000
export const byTime = (count: number) => join(benchFolder, `synth-${count}-by-time.tsv`)

const options: LiveOptions = {
  k: 10,
  mode: "strict",
  backlog: 2,
  cellTexts: "distinct",
  depth: 6,
  remember: 10_000_000,
  scrub: "all",
  users: "cell",
  urls: "drop",
  time: "hour",
  category: false,
  taxonomy: "wordnet",
  checkpoint: 60,
  gate: false,
  riskWindow: 50_000,
}

/** Writes the synthetic log in time order, as a stream would receive it. */
export async function orderByTime(count: number): Promise<void> {
  const path = byTime(count)
  if ((await stat(path).catch(() => undefined)) !== undefined) return
  await makeLog(count)
  const bytes = await readFile(logPath(count))
  const header = bytes.indexOf(10) + 1
  const starts: number[] = []
  const times: number[] = []
  for (let at = header; at < bytes.length; at = bytes.indexOf(10, at) + 1) {
    const time = bytes.indexOf(9, bytes.indexOf(9, at) + 1) + 1
    starts.push(at)
    times.push(
      Date.parse(`${bytes.toString("latin1", time, time + 10)}T${bytes.toString("latin1", time + 11, time + 19)}Z`),
    )
  }
  const order = Uint32Array.from(starts, (_, i) => i).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b)
  const out = createWriteStream(`${path}.partial`)
  out.write(bytes.subarray(0, header))
  for (const i of order) {
    const from = starts[i] ?? 0
    if (!out.write(bytes.subarray(from, bytes.indexOf(10, from) + 1))) await once(out, "drain")
  }
  out.end()
  await once(out, "close")
  await rename(`${path}.partial`, path)
}

/** Runs an action in a folder of its own, which is removed afterwards. */
export async function withFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(benchFolder, "stream-"))
  try {
    return await action(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens a stream in a folder, with everything it needs on this machine. */
export async function openStream(
  folder: string,
  live: Partial<LiveOptions> = {},
  {
    output = fileOutput(join(folder, "out.tsv")),
    to = "tsv",
    files = storeParts.files,
  }: { output?: StreamOutput; to?: OutputFormat; files?: StoreParts["files"] } = {},
): Promise<LiveStream> {
  const context = createContext({})
  const taxonomy = await openTaxonomy("wordnet", { cache: benchFolder }, context)
  const facts = { mode: "strict", taxonomy: taxonomyFingerprint(taxonomy), now: context.now } as const
  const store = await openStore(join(folder, "store"), facts, { ...storeParts, files })
  return openLiveStream({ ...options, ...live }, { store, output, taxonomy, to }, context)
}

async function readAll(stream: LiveStream, path: string): Promise<void> {
  const choice = { format: "auto", columns: undefined, jsonPath: undefined, unit: "user", encoding: undefined } as const
  const input = fileInput({ path, follow: false, warn: () => {}, ...choice })
  await input.run(stream, new AbortController().signal)
  await stream.drain()
}

async function fileToFile(count: number, live: Partial<LiveOptions> = {}): Promise<Finding> {
  return withFolder(async (folder) => {
    const stream = await openStream(folder, live)
    await once(createReadStream(byTime(count)).resume(), "end") // warm the file cache, so that the disk is not timed
    const { seconds } = await timed(() => readAll(stream, byTime(count)))
    const { released, waiting, delay, memory } = stream.figures()
    await stream.close()
    return {
      count,
      seconds,
      released,
      waiting,
      "delay p50 (records)": delay.records.p50,
      "delay p99 (records)": delay.records.p99,
      "memory (MB)": Math.round(memory.rss / 2 ** 20),
    }
  })
}

/** The files of a store whose flushes are timed. */
function timedFiles(folder: string, times: number[]): StoreFiles {
  const files = openFiles(folder)
  return {
    ...files,
    async open(name, how) {
      const file = await files.open(name, how)
      const flush = async () => {
        times.push((await timed(() => file.flush())).seconds * 1000)
      }
      return { ...file, flush }
    },
  }
}

/**
 * Times how long the journal delays a batch: 100 records every 10 ms, which is 10,000 a second. Also says which batch
 * was slowest, because a delay of the first ones is a start, and how long the disk took.
 */
async function journalDelay(): Promise<Finding> {
  return withFolder(async (folder) => {
    const flushes: number[] = []
    const stream = await openStream(folder, {}, { files: (at) => timedFiles(at, flushes) })
    const lines = await firstLines(byTime(rows), 100_000)
    const plan = planLines("jsonl", Buffer.from(record(lines[0] ?? "")), {
      format: "jsonl",
      columns: undefined,
      jsonPath: undefined,
      unit: "user",
      path: "bench",
    })
    const times: number[] = []
    const { seconds } = await timed(async () => {
      for (let at = 0; at < lines.length; at += 100) {
        const text = Buffer.from(
          lines
            .slice(at, at + 100)
            .map(record)
            .join(""),
        )
        const bytes = new Uint8Array(text.length + 1)
        bytes.set(text)
        const begun = performance.now()
        const { receipt } = stream.offer({ bytes, length: text.length, plan, skipLines: 0 })
        receipt.then(() => times.push(performance.now() - begun))
        await wait(10)
      }
      await stream.drain()
    })
    await stream.close()
    const slowest = times.indexOf(Math.max(...times)) // receipts come in the order of the batches
    const at = (values: readonly number[], share: number) =>
      ([...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0).toFixed(1)
    return {
      count: lines.length,
      seconds,
      "p50 (ms)": at(times, 0.5),
      "p99 (ms)": at(times, 0.99),
      "most (ms)": at(times, 1),
      "slowest batch": slowest,
      "p99 of flushes (ms)": at(flushes, 0.99),
    }
  })
}

export function record(line: string): string {
  const [user, query, time] = line.split("\t")
  return `${JSON.stringify({ user, query, time })}\n`
}

/**
 * Times the restart of a store with ten million waiting records, as a crash left it, until it accepts records again.
 */
async function restart(): Promise<Finding> {
  return withFolder(async (folder) => {
    // So many users must come together that nothing leaves.
    const stream = await openStream(folder, { k: 1_000_000, backlog: 1_000_000, scrub: "none", riskWindow: 0 })
    const columns = { format: "aol", columns: undefined, jsonPath: undefined, unit: "user", path: "bench" } as const
    const plan = planLines("aol", Buffer.from("1\tdog\t2006-03-01 00:00:00\t\t\n"), columns)
    for (let made = 0; made < waitingRecords; made += 50_000) {
      const text = Buffer.from(
        Array.from({ length: 50_000 }, (_, i) => {
          const number = made + i
          return `${number % 657_000}\tdog cat ${Math.floor(number / 3)}\t2006-03-01 00:00:00\t\t\n`
        }).join(""),
      )
      const bytes = new Uint8Array(text.length + 1)
      bytes.set(text)
      await stream.offer({ bytes, length: text.length, plan, skipLines: 0 }).room
    }
    await stream.drain()
    const { waiting } = stream.figures()
    await stream.close()
    const { seconds, value: again } = await timed(() =>
      openStream(folder, { k: 1_000_000, backlog: 1_000_000, scrub: "none", riskWindow: 0 }),
    )
    const { memory } = again.figures()
    await again.close()
    return { count: waiting, seconds, "memory (MB)": Math.round(memory.rss / 2 ** 20) }
  })
}

const waitingRecords = 10_000_000

const http = (batch: number, { requests, connections }: { requests: number; connections: number }) =>
  withFolder((folder) => httpToFile(byTime(rows), { folder, batch, requests, connections }))

export const streamBench: Bench = {
  name: "stream",
  prepare: () => orderByTime(rows),
  cases: [
    { name: "file → file", run: () => fileToFile(rows) },
    { name: "HTTP, 100 records per request", run: () => http(100, { requests: 30_000, connections: 64 }) },
    { name: "HTTP, 1 record per request", run: () => http(1, { requests: 100_000, connections: 64 }) },
    { name: "journal delay", run: journalDelay },
    { name: "restart with 10 M waiting", run: restart },
  ],
  targets: [
    rateAtLeast("file → file", 400_000),
    rateAtLeast("HTTP, 100 records per request", 150_000),
    rateAtLeast("HTTP, 1 record per request", 8_000),
    {
      what: "journal delay: p99",
      limit: "≤ 50 ms",
      check: (findings) => {
        const p99 = Number(findings.get("journal delay")?.["p99 (ms)"])
        return { value: `${p99} ms`, met: p99 <= 50 }
      },
    },
    secondsAtMost("restart with 10 M waiting", 15),
  ],
}

const sizes = [3, 10, 50].flatMap((k) => [3, 6].map((depth) => ({ k, depth })))

/** What waits, for how long, and what that costs, by k and depth. */
export const streamSizing: Bench = {
  name: "stream-sizing",
  prepare: () => orderByTime(fewerRows),
  cases: sizes.map(({ k, depth }) => ({
    name: `k = ${k}, depth ${depth}`,
    run: () => fileToFile(fewerRows, { k, depth }),
  })),
  targets: [],
  print: (findings) => {
    const columns = ["released", "waiting", "delay p50 (records)", "delay p99 (records)", "memory (MB)"]
    const line = (name: string, cells: readonly string[]) =>
      `${name.padEnd(20)}${cells.map((cell) => cell.padStart(22)).join("")}\n`
    const rowsOfTable = [...findings].map(([name, finding]) =>
      line(
        name,
        columns.map((column) => Number(finding[column]).toLocaleString("en")),
      ),
    )
    return line("", columns) + rowsOfTable.join("")
  },
}
