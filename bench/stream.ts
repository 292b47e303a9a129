import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { createContext } from "queryveil/kernels"
import { fileInput, fileOutput } from "queryveil/server"
import { type LiveOptions, openLiveStream, openStore } from "queryveil/stream"
import { openTaxonomy, taxonomyFingerprint } from "queryveil/taxonomy"
import { type Bench, type Finding, rateAtLeast } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"
import { httpToFile } from "./stream-http.ts"

const rows = 4_000_000
const byTime = join(benchFolder, `synth-${rows}-by-time.tsv`)

const options: LiveOptions = {
  k: 10,
  mode: "strict",
  backlog: 2,
  depth: 6,
  remember: 10_000_000,
  scrub: "all",
  users: "pseudonym",
  urls: "drop",
  time: "hour",
  taxonomy: "wordnet",
  checkpoint: 60,
  gate: false,
  riskWindow: 50_000,
}

/** The made-up log in the order of its times, as a stream would bring it. */
async function orderByTime(): Promise<void> {
  if ((await stat(byTime).catch(() => undefined)) !== undefined) return
  await makeLog(rows)
  const bytes = await readFile(logPath(rows))
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
  const out = createWriteStream(`${byTime}.partial`)
  out.write(bytes.subarray(0, header))
  for (const i of order) {
    const from = starts[i] ?? 0
    if (!out.write(bytes.subarray(from, bytes.indexOf(10, from) + 1))) await once(out, "drain")
  }
  out.end()
  await once(out, "close")
  const { rename } = await import("node:fs/promises")
  await rename(`${byTime}.partial`, byTime)
}

/** A stream on a store of its own, which is gone afterwards. */
async function withFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(benchFolder, "stream-"))
  try {
    return await action(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fileToFile(): Promise<Finding> {
  return withFolder(async (folder) => {
    const context = createContext({})
    const taxonomy = await openTaxonomy("wordnet", {}, context)
    const store = await openStore(join(folder, "store"), {
      mode: "strict",
      taxonomy: taxonomyFingerprint(taxonomy),
      now: context.now,
    })
    const output = fileOutput(join(folder, "out.tsv"))
    const stream = await openLiveStream(options, { store, output, taxonomy, to: "tsv" }, context)
    await once(createReadStream(byTime).resume(), "end") // the disk is not what is timed
    const begun = performance.now()
    const input = fileInput({
      path: byTime,
      follow: false,
      warn: () => {},
      format: "auto",
      columns: undefined,
      jsonPath: undefined,
      unit: "user",
      encoding: undefined,
    })
    await input.run(stream, context.signal)
    await stream.drain()
    const seconds = (performance.now() - begun) / 1000
    const { released, waiting, commit } = stream.figures()
    await stream.close()
    return { count: rows, seconds, released, waiting, "commit p99 (ms)": Math.round(commit.p99) }
  })
}

export const streamBench: Bench = {
  name: "stream",
  prepare: orderByTime,
  cases: [
    { name: "file → file", run: fileToFile },
    {
      name: "http, 100 records a request",
      run: () => withFolder((folder) => httpToFile(byTime, { folder, batch: 100, requests: 20_000, connections: 64 })),
    },
    {
      name: "http, one record a request",
      run: () => withFolder((folder) => httpToFile(byTime, { folder, batch: 1, requests: 100_000, connections: 128 })),
    },
  ],
  targets: [
    rateAtLeast("file → file", 400_000),
    rateAtLeast("http, 100 records a request", 150_000),
    rateAtLeast("http, one record a request", 8_000),
  ],
}
