import { createContext } from "#dist/kernels/context.js"
import { batchRecords } from "#dist/stream/live/batch-records.js"
import type { LiveStream } from "#dist/stream/live/live-stream.js"
import { openLiveStream } from "#dist/stream/live/open-live-stream.js"
import type { LiveOptions, OutputFormat } from "#dist/stream/live/options.js"
import type { StreamOutput } from "#dist/stream/live/transport.js"
import { openStore } from "#dist/stream/store/open-store.js"
import { taxonomyFingerprint } from "#dist/taxonomy/fingerprint.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"

/** Topics, and the one word that identifies each: four topics below two others, and two topics by themselves. */
export const topicsFile = [
  "pets\t1\t",
  "pets/dogs\t1\tdog",
  "pets/cats\t1\tcat",
  "cars\t1\tcar",
  "cars/vans\t1\tvan",
  "",
].join("\n")

const topics = ["pets/dogs", "pets/cats", "cars", "cars/vans"]

/** Queries `w0` …; the file gives every fourth the same topic. */
export const queryPaths = (words: number) =>
  Array.from({ length: words }, (_, i) => `w${i}\t${topics[i % topics.length]}\n`).join("")

export interface Line {
  user: string
  query: string
  time?: string
}

export const linesOf = (records: readonly Line[]) =>
  records.map(({ user, query, time = "2026-03-01 10:20:30" }) => `${JSON.stringify({ user, query, time })}\n`).join("")

const defaults: LiveOptions = {
  k: 2,
  mode: "strict",
  backlog: 2,
  cellTexts: "distinct",
  depth: 6,
  remember: 1000,
  scrub: "all",
  users: "keep",
  urls: "drop",
  time: "exact",
  category: false,
  taxonomy: "wordnet",
  checkpoint: 60,
  gate: false,
  riskWindow: 0,
}

/** An output that keeps what it is given, and can be cut back. */
export function memoryOutput(bytes = ""): StreamOutput & { text(): string } {
  let held = Buffer.from(bytes)
  return {
    exact: true,
    async open(position) {
      held = held.subarray(0, position.bytes)
    },
    async write(more) {
      held = Buffer.concat([held, more])
    },
    async settle() {},
    async close() {},
    text: () => held.toString(),
  }
}

/** Options of a run. `users: undefined` leaves out the tests' default. */
export type RunOptions = Partial<Omit<LiveOptions, "users">> & { users?: LiveOptions["users"] | undefined }

/** Opens a stream on a store, with the few topics of this file. */
export async function openRun(options: {
  store: string
  taxonomy: string
  classifier: string
  output: StreamOutput
  seed?: number
  checkpointSeconds?: number
  now?: () => number
  live?: RunOptions
  to?: OutputFormat
  warn?: (text: string) => void
}): Promise<LiveStream> {
  const { store: folder, classifier, output, seed = 1, checkpointSeconds = 3600, now = Date.now } = options
  const context = createContext({ seed, workers: 1, now })
  const taxonomy = await openTaxonomy(options.taxonomy, {}, context)
  const { users, ...rest } = { ...defaults, classifier, ...options.live }
  const live = users === undefined ? rest : { ...rest, users }
  const store = await openStore(folder, {
    mode: live.mode,
    taxonomy: taxonomyFingerprint(taxonomy),
    checkpointSeconds,
    now,
  })
  const { warn = () => {}, to = "jsonl" } = options
  return openLiveStream(live, { store, output, taxonomy, to, warn }, context)
}

export async function offerLines(stream: LiveStream, records: readonly Line[], position = "") {
  const batch = batchRecords(records.map((record) => ({ time: "2026-03-01 10:20:30", ...record })))
  return stream.offer(position === "" ? batch : { ...batch, position: { input: "lines", at: position } }).receipt
}

export interface Released {
  seq: number
  user: string
  query: string
  time: string
}

export const releasedOf = (output: { text(): string }): Released[] =>
  output
    .text()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
