import { fileURLToPath } from "node:url"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import type { StreamChange } from "#dist/stream/live/live-stream.js"
import { RecordCollector } from "#dist/stream/live/record-collector.js"
import { RiskWindow } from "#dist/stream/live/risk-window.js"
import { encodeChange, encodeRecords } from "#dist/stream/workers/classified-message.js"
import type { StateMessage } from "#dist/stream/workers/partition-changelog.js"
import { type RestoredState, StateReader } from "#dist/stream/workers/restore-state.js"
import { WorkerSecrets } from "#dist/stream/workers/secret-file.js"
import { StateSeal } from "#dist/stream/workers/state-seal.js"
import { type SwapOptions, SwapPartition } from "#dist/stream/workers/swap-partition.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"

const pets = fileURLToPath(new URL("fixtures/pets.tsv", import.meta.url))
export const taxonomy = await openTaxonomy(pets, {}, createContext({}))
export const topics = ["pets/dogs", "pets/cats", "cars"].map((path) => taxonomy.find(path))

export const options = {
  taxonomy,
  settings: {
    k: 2,
    depth: 2,
    mode: "strict",
    users: "cell",
    urls: "keep",
    time: "hour",
    category: true,
    to: "jsonl",
    numbered: true,
    repeats: "once",
    scrub: "none",
    sensitive: [],
    gated: [],
  },
  backlog: 5,
  distinctTexts: true,
  remember: 7,
  secrets: new WorkerSecrets([Buffer.alloc(32, 7), Buffer.alloc(32, 8)]),
} as const

export const openPartition = (more: Partial<SwapOptions> = {}) =>
  new SwapPartition(
    { partition: 3, epoch: 1 },
    { ...options, ...more },
    {
      window: new RiskWindow({ size: 10 }),
      context: { now: () => 0, random: seededRandom(1) },
    },
  )

export type Search = { user: number; text: number; topic: number }
export type Step = { searches: Search[] } | { change: StreamChange }

const encoder = new TextEncoder()
export const spanOf = (text: string) => {
  const bytes = encoder.encode(text)
  return { bytes, start: 0, end: bytes.length }
}

/** A message of the classified topic for each step. */
export function messagesOf(steps: readonly Step[]): Buffer[] {
  let time = 1_000_000
  return steps.map((step) => {
    if ("change" in step) return encodeChange({ change: step.change, secretChecks: [] })
    const collector = new RecordCollector()
    for (const { user, text, topic } of step.searches) {
      const numbers = { topic: topics[topic % topics.length] ?? 0, time: time++, arrival: 0, rank: 1 }
      const url = text % 2 === 0 ? [spanOf(`site${text}.example`)] : []
      collector.add(numbers, [spanOf(`u${user}`), spanOf(`w${text}`), ...url])
    }
    return encodeRecords(collector.take())
  })
}

/** The topic as compaction leaves it: the last value of each key. */
export class CompactedTopic {
  readonly values = new Map<string, Buffer>()
  readonly seal = new StateSeal(new WorkerSecrets([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]), "changelog/3")
  readonly #more: Partial<SwapOptions>

  constructor(more: Partial<SwapOptions> = {}) {
    this.#more = more
  }

  write(messages: readonly StateMessage[], secret = 1): void {
    for (const { key, value } of messages)
      if (value === null) this.values.delete(key)
      else this.values.set(key, this.seal.seal(key, value, secret))
  }

  read(): RestoredState {
    const reader = new StateReader(this.seal, "changelog/3")
    reader.add("f0", null) // the mark of a deleted message may still be there
    for (const [key, value] of this.values) reader.add(key, value)
    return reader.read()
  }

  restore(): SwapPartition {
    const partition = openPartition(this.#more)
    partition.restore(this.read())
    return partition
  }
}

export const factsOf = ({ core: { nextRecord, nextRelease, totals, cellCounts, settings, held } }: SwapPartition) => {
  return { nextRecord, nextRelease, totals, cells: cellCounts.list(), settings, held }
}

export const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString()
