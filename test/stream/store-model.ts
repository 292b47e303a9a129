import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { onTestFinished } from "vitest"
import { hashPair } from "#dist/kernels/pair-hash.js"
import type { Frame } from "#dist/stream/store/frame.js"
import { keepBooks } from "#dist/stream/store/keep-books.js"
import { openStore, type StoreOptions, type StoreParts, storeParts } from "#dist/stream/store/open-store.js"
import { openProfiles } from "#dist/stream/store/profiles.js"
import type { Boundary, StreamStore } from "#dist/stream/store/store.js"

/** The content of a test frame: records as numbers that texts are made from, deals as picks among what waits. */
export interface Step {
  records: { user: number; query: number; topic: number; url: boolean }[]
  picks: number[]
}

export const steps = fc.array(
  fc.record<Step>({
    records: fc.array(
      fc.record({
        user: fc.nat({ max: 6 }),
        query: fc.nat({ max: 9 }),
        topic: fc.nat({ max: 300 }),
        url: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
    picks: fc.array(fc.nat({ max: 1000 }), { maxLength: 8 }),
  }),
  { maxLength: 12 },
)

export type Mode = StoreOptions["mode"]
interface Held {
  user: string
  query: string
  url: string
  topic: number
  time: number
  parts: number
}

/** Everything with plain lists and maps. The store must equal it. */
export class Model {
  readonly mode: Mode
  readonly all: Held[] = []
  releases = 0
  readonly pairs: [string, string][] = []
  readonly profiles = new Map<string, Map<number, number>>()

  constructor(mode: Mode) {
    this.mode = mode
  }

  /** The frame of a step. The model advances. */
  step({ records, picks }: Step): Frame {
    const firstRecord = this.all.length
    const firstRelease = this.releases
    for (const { user, query, topic, url } of records) {
      const time = 1_000_000 + this.all.length
      this.all.push({
        user: user === 6 ? "ü".repeat(700) : `user ${user}`,
        query: "q".repeat(query),
        url: url ? `http://${query}` : "",
        topic,
        time,
        parts: 3,
      })
    }
    const deals = this.#deal(picks)
    const taken = this.all.slice(firstRecord)
    return {
      firstRecord,
      records: {
        count: taken.length,
        topic: Int32Array.from(taken, ({ topic }) => topic),
        time: Int32Array.from(taken, ({ time }) => time),
        arrival: Int32Array.from(taken, ({ time }) => time + 5),
        rank: Uint16Array.from(taken, ({ url }) => url.length),
        ...pack(taken),
      },
      firstRelease,
      deals: {
        record: Float64Array.from(deals, ([record]) => record),
        as: Float64Array.from(deals, ([, as]) => as),
        cellEnd: Uint32Array.from(deals.length > 0 ? [deals.length] : []),
        cellTime: Int32Array.from(deals.length > 0 ? [77] : []),
        cellUsers: Int32Array.from(deals.length > 0 ? [9] : []),
      },
      input: `line ${this.all.length}`,
      change: firstRecord === 3 ? '{"k":4}' : "",
      totals: { rejected: this.all.length },
      answered: firstRecord === 6 ? '[{"id":"a"}]' : "",
    }
  }

  #deal(picks: number[]): [number, number][] {
    const waits = (part: number) => [...this.all.keys()].filter((i) => (this.all[i].parts & part) === part)
    const deals: [number, number][] = []
    if (this.mode === "strict") {
      const cell = [...new Set(picks.flatMap((pick) => waits(3).at(pick % Math.max(1, waits(3).length)) ?? []))]
      if (cell.length > 1) cell.forEach((record, i) => void deals.push([record, cell[(i + 1) % cell.length]]))
      for (const record of cell.length > 1 ? cell : []) this.all[record].parts = 0
    } else {
      for (const pick of picks) {
        const [texts, users] = [waits(1), waits(2)]
        if (texts.length === 0 || users.length === 0) break
        const [record, as] = [texts[pick % texts.length], users[(pick * 7 + 3) % users.length]]
        deals.push([record, as])
        this.all[record].parts &= ~1
        this.all[as].parts &= ~2
      }
    }
    for (const [record, as] of deals) {
      const { user, query, topic } = this.all[record]
      this.pairs.push([user, query])
      const profile = this.profiles.get(this.all[as].user) ?? new Map<number, number>()
      profile.set(topic, (profile.get(topic) ?? 0) + 1)
      this.profiles.set(this.all[as].user, profile)
    }
    this.releases += deals.length
    return deals
  }

  get boundary(): Boundary {
    return {
      record: this.all.length,
      output: { releases: this.releases, bytes: this.releases * 10 },
      input: `line ${this.all.length}`,
      settings: '{"k":3}',
      totals: { rejected: this.all.length },
    }
  }

  waiting(): (Held & { number: number })[] {
    return this.all.map((held, number) => ({ ...held, number })).filter(({ parts }) => parts > 0)
  }

  hashes({ secrets: { seeds } }: Pick<StreamStore, "secrets">): number[] {
    return this.pairs.flatMap(([user, query]) => hashPair(Buffer.from(user), Buffer.from(query), seeds))
  }
}

function pack(records: Held[]): { ends: Uint32Array; arena: Uint8Array } {
  const texts = records.flatMap(({ user, query, url }) => [user, query, url]).map((text) => Buffer.from(text))
  let end = 0
  return { ends: Uint32Array.from(texts, ({ length }) => (end += length)), arena: new Uint8Array(Buffer.concat(texts)) }
}

/** A frame as plain values, without its memory layout. */
export function plain(frame: Frame): unknown {
  return JSON.parse(
    JSON.stringify(frame, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value)),
  )
}

/** What a store recovers, as plain values: what waits, pairs, frames. */
export async function recover({ recovered }: StreamStore) {
  const waiting: (Held & { number: number })[] = []
  for await (const { records, number, parts } of recovered.waiting()) {
    const text = (i: number) =>
      Buffer.from(records.arena.subarray(i === 0 ? 0 : records.ends[i - 1], records.ends[i])).toString()
    for (let i = 0; i < records.count; i++) {
      waiting.push({
        user: text(i * 3),
        query: text(i * 3 + 1),
        url: text(i * 3 + 2),
        topic: records.topic[i],
        time: records.time[i],
        parts: parts[i],
        number: number[i],
      })
    }
  }
  const released: number[] = []
  for await (const words of recovered.released()) released.push(...words)
  const frames: unknown[] = []
  for await (const frame of recovered.frames()) frames.push(plain(frame))
  return { waiting, released, frames, boundary: recovered.boundary, cut: recovered.cut }
}

export async function readProfiles(folder: string) {
  const profiles = await openProfiles(folder)
  try {
    const users = new Map<string, Map<number, number>>()
    for await (const { user, counts } of profiles.all())
      users.set(user, new Map(counts.map(({ node, count }) => [node, count])))
    return { users, from: profiles.from, releases: profiles.releases }
  } finally {
    await profiles.close()
  }
}

/** A folder for one test. It is in memory if possible, because stores flush often. */
export function makeTemporary(): string {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "queryveil-store-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Store parts without another thread and without waiting. */
function quickParts(changes: Partial<StoreParts> = {}): StoreParts {
  const files = changes.files ?? storeParts.files
  return {
    ...storeParts,
    lock: async () => async () => {},
    bookkeeper: () => ({
      keep: async (job) => ({ books: await keepBooks(files(job.folder), job) }),
      close: async () => {},
    }),
    pause: async () => {},
    ...changes,
  }
}

/** A store for a quick test. Parts and options may be replaced. */
export function openQuick(
  folder: string,
  { files, pause, bookkeeper, ...options }: Partial<StoreParts & StoreOptions> = {},
): Promise<StreamStore> {
  const parts = Object.fromEntries(
    Object.entries({ files, pause, bookkeeper }).filter(([, part]) => part !== undefined),
  )
  return openStore(folder, { mode: "strict", taxonomy: "tree", now: () => 0, ...options }, quickParts(parts))
}
