import { cpSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { LiveOptions } from "#dist/stream/live/options.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import {
  type Line,
  memoryOutput,
  offerLines,
  openRun,
  queryPaths,
  type Released,
  releasedOf,
  topicsFile,
} from "./live-run.ts"

const { fresh, write } = scratchFolder()
const taxonomy = write(topicsFile, "topics.tsv")
const classifier = write(queryPaths(4000), "paths.tsv")

/** Records of `users` users, from a simple generator. Each text belongs to one user. */
function made(count: number, { users, first = 0 }: { users: number; first?: number }): Line[] {
  return Array.from({ length: count }, (_, i) => ({ user: `u${(i * 7 + first) % users}`, query: `w${first + i}` }))
}

const ownerOf = (records: readonly Line[]) => new Map(records.map(({ user, query }) => [query, user]))

function expectSwapped(released: readonly Released[], records: readonly Line[]): void {
  const owner = ownerOf(records)
  for (const { user, query } of released) expect(user).not.toBe(owner.get(query))
  expect(new Set(released.map(({ query }) => query)).size).toBe(released.length)
}

test("every record is released once under another user's name, numbered from 0, or waits", async () => {
  const records = made(400, { users: 20 })
  const output = memoryOutput()
  const stream = await openRun({ store: fresh(), taxonomy, classifier, output })
  const receipt = await offerLines(stream, records)
  await stream.drain()
  const released = releasedOf(output)
  const figures = stream.figures()
  await stream.close()
  expect(receipt).toMatchObject({ rejected: [] })
  expect(receipt.taken + receipt.withheld).toBe(400)
  expect(figures.released + figures.waiting).toBe(receipt.taken)
  expect(figures.withheld).toEqual(receipt.withheld === 0 ? {} : { backlog: receipt.withheld })
  expect(released.length).toBe(figures.released)
  expect(released.length).toBeGreaterThan(300)
  expect(released.map(({ seq }) => seq)).toEqual(released.map((_, i) => i))
  expectSwapped(released, records)
})

test("a resumed copy of a store writes the same bytes and continues alike, whenever it was copied", async () => {
  const records = made(600, { users: 15 })
  const store = fresh()
  const output = memoryOutput()
  let at = 0
  // A checkpoint is due each time the clock has advanced by an hour.
  const now = () => at * 3_600_000
  const stream = await openRun({ store, taxonomy, classifier, output, checkpointSeconds: 7200, now })
  const copies: { folder: string; done: number; written: string }[] = []
  for (let done = 0; done < records.length; done += 20) {
    await offerLines(stream, records.slice(done, done + 20), String(done + 20))
    await stream.drain()
    at++
    if (done % 100 !== 40) continue
    const folder = fresh("copy")
    cpSync(store, folder, { recursive: true, filter: (path) => !path.includes("lock") && existsStill(path) })
    copies.push({ folder, done: done + 20, written: output.text() })
  }
  await stream.close()
  expect(readdirSync(store).some((name) => name.startsWith("snapshot"))).toBe(true)
  for (const [i, { folder, done, written }] of copies.entries()) {
    // What the crash left of the output: part of it, or more than the checkpoint knew of.
    const again = memoryOutput(i % 2 === 0 ? written : "")
    if (i % 2 === 1 && hasSnapshot(folder)) continue // an output that lost what it had been given is refused by files
    const next = await openRun({ store: folder, taxonomy, classifier, output: again, seed: 2, now })
    expect(next.resumed.positions).toEqual(done === 0 ? {} : { lines: String(done) })
    expect(again.text()).toBe(written)
    await offerLines(next, records.slice(done), "600")
    await next.drain()
    const figures = next.figures()
    await next.close()
    expect(again.text()).toBe(output.text())
    const released = releasedOf(again)
    expectSwapped(released, records)
    expect(released.length + figures.waiting + (figures.withheld.backlog ?? 0)).toBe(600)
  }
})

const hasSnapshot = (folder: string) => readdirSync(folder).some((name) => name.startsWith("snapshot"))

function existsStill(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch {
    return false
  }
}

test("k and depth can change while it runs, and a restart keeps them", async () => {
  const store = fresh()
  const output = memoryOutput()
  const stream = await openRun({ store, taxonomy, classifier, output, live: { k: 10, depth: 2 } })
  // Four topics of two users each, below two others: nothing can leave at level 2, nor with eleven users.
  const records = Array.from({ length: 8 }, (_, i) => ({ user: `u${i}`, query: `w${i}` }))
  await offerLines(stream, records)
  await stream.drain()
  expect(output.text()).toBe("")
  await stream.configure({ k: 3, depth: 1 })
  expect(stream.figures()).toMatchObject({ k: 3, depth: 1, waiting: 8, categories: 2 })
  await offerLines(stream, [{ user: "u8", query: "w8" }])
  await stream.drain()
  const released = releasedOf(output)
  expect(released.length).toBe(4)
  await expect(stream.configure({ k: 1 })).rejects.toThrow("k: expected a whole number")
  await expect(stream.configure({ withhold: ["no such"] })).rejects.toThrow("no such topic")
  await stream.configure({ withhold: ["pets"] })
  expect(await offerLines(stream, [{ user: "u9", query: "w12" }])).toMatchObject({ taken: 0, withheld: 1 })
  await stream.close()
  const again = await openRun({ store, taxonomy, classifier, output, live: { k: 3, depth: 1 } })
  expect(await offerLines(again, [{ user: "u9", query: "w16" }])).toMatchObject({ taken: 0, withheld: 1 })
  await again.configure({ reopen: ["pets"] })
  expect(await offerLines(again, [{ user: "u9", query: "w20" }])).toMatchObject({ taken: 1 })
  expect(again.figures().withheld).toEqual({ "withheld topic": 2 })
  await again.close()
})

test("the position in a file is kept while records arrive by another input", async () => {
  const store = fresh()
  const output = memoryOutput()
  for (const position of ["120", ""]) {
    const stream = await openRun({ store, taxonomy, classifier, output })
    await offerLines(stream, [{ user: "u0", query: "w0" }], position)
    await stream.close()
  }
  const stream = await openRun({ store, taxonomy, classifier, output })
  expect(stream.resumed.positions).toEqual({ lines: "120" })
  await stream.close()
})

test("a query that its user repeats after its release is withheld, also after a restart", async () => {
  const store = fresh()
  const records = [0, 1, 2].map((i) => ({ user: `u${i}`, query: `w${4 * i}` }))
  for (const round of [0, 1, 2]) {
    const output = memoryOutput()
    const stream = await openRun({ store, taxonomy, classifier, output: round === 0 ? output : memoryOutput() })
    const receipt = await offerLines(stream, records)
    expect(receipt).toMatchObject(round === 0 ? { taken: 3 } : { taken: 0, withheld: 3 })
    await stream.close()
  }
})

test("paper mode: partly released records resume, and no user gets their own query", async () => {
  const records = made(500, { users: 12 })
  const store = fresh()
  const output = memoryOutput()
  for (let done = 0; done < 500; done += 100) {
    const stream = await openRun({ store, taxonomy, classifier, output, seed: done, live: { mode: "paper" } })
    await offerLines(stream, records.slice(done, done + 100))
    await stream.drain()
    const { released, waiting } = stream.figures()
    expect(released + waiting).toBe(done + 100)
    await stream.close()
  }
  const released = releasedOf(output)
  expect(released.length).toBeGreaterThan(400)
  expectSwapped(released, records)
  const shown = new Map<string, number>()
  for (const { user } of released) shown.set(user, (shown.get(user) ?? 0) + 1)
  // No user is shown more often than they came.
  for (const [user, count] of shown) expect(count).toBeLessThanOrEqual(records.filter((r) => r.user === user).length)
})

test("a clock that is set back does no harm", async () => {
  let now = 1_800_000_000_000
  const output = memoryOutput()
  const stream = await openRun({ store: fresh(), taxonomy, classifier, output, checkpointSeconds: 1, now: () => now })
  const records = made(300, { users: 10 })
  for (let done = 0; done < 300; done += 30) {
    await offerLines(stream, records.slice(done, done + 30))
    now -= 86_400_000
  }
  await stream.drain()
  const { delay, commit, released, waiting, withheld } = stream.figures()
  expect(released + waiting + (withheld.backlog ?? 0)).toBe(300)
  expect(delay.seconds.p50).toBe(0)
  expect(commit.p99).toBeGreaterThanOrEqual(0)
  await stream.close()
})

test("a store continues only with releases of the same columns", async () => {
  const store = fresh()
  const output = memoryOutput()
  const stream = await openRun({ store, taxonomy, classifier, output })
  await offerLines(stream, made(10, { users: 5 }))
  await stream.close()
  await expect(openRun({ store, taxonomy, classifier, output, live: { repeats: "keep" } })).rejects.toThrow(
    "(repeats: once, now keep)",
  )
  await expect(openRun({ store, taxonomy, classifier, output, live: { time: "hour" } })).rejects.toThrow(
    "(time: exact, now hour)",
  )
  const again = await openRun({ store, taxonomy, classifier, output })
  await again.close()
})

test("lines that are not records are rejected by number, and the others are accepted", async () => {
  const stream = await openRun({ store: fresh(), taxonomy, classifier, output: memoryOutput() })
  const text = Buffer.from(
    [
      '{"user":"a","query":"w1","time":"2026-03-01 10:00:00"}',
      '{"user":',
      '{"user":"b","query":"w5","time":"2026-03-01 10:00:00"}',
      "",
    ].join("\n"),
  )
  const { planLines } = await import("#dist/log/formats/detect-format.js")
  const plan = planLines("jsonl", text, {
    format: "jsonl",
    columns: undefined,
    jsonPath: undefined,
    unit: "user",
    path: "-",
  })
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  const { receipt } = stream.offer({ bytes, length: text.length, plan, skipLines: 0 })
  expect(await receipt).toMatchObject({ taken: 2, withheld: 0, rejected: [{ line: 2, reason: "syntax" }] })
  await stream.close()
})

test("only its owner can read a store", async () => {
  const store = fresh()
  const stream = await openRun({ store, taxonomy, classifier, output: memoryOutput() })
  await offerLines(stream, made(100, { users: 9 }))
  await stream.close()
  expect(statSync(store).mode & 0o077).toBe(0)
  for (const name of readdirSync(store, { recursive: true }))
    expect(statSync(join(store, String(name))).mode & 0o077).toBe(0)
})

test("a stream whose output fails accepts nothing more, says why, and leaves a store that can be resumed", async () => {
  const store = fresh()
  const output = memoryOutput()
  const broken = { ...output, write: async () => Promise.reject(new Error("the reader is gone")) }
  const stream = await openRun({ store, taxonomy, classifier, output: broken })
  await offerLines(stream, made(60, { users: 9 }))
  await expect(stream.drain()).rejects.toThrow("the reader is gone")
  await expect(offerLines(stream, made(5, { users: 9, first: 60 }))).rejects.toThrow("the reader is gone")
  expect(stream.figures().state).toBe("stopped")
  await expect(stream.close()).rejects.toThrow("the reader is gone")
  const again = await openRun({ store, taxonomy, classifier, output })
  expect(again.resumed.repeated).toBeGreaterThan(0)
  expect(releasedOf(output)).toHaveLength(again.resumed.repeated)
  await again.close()
})

test("a store that is resumed with weaker options warns once", async () => {
  const store = fresh()
  const said: string[] = []
  const run = async (live: Partial<LiveOptions>) => {
    const warn = (text: string) => said.push(text)
    const stream = await openRun({ store, taxonomy, classifier, output: memoryOutput(), live, warn })
    await stream.close()
  }
  await run({ sensitiveCategories: "pets/dogs" })
  expect(said).toEqual([])
  await run({ scrub: "none" })
  expect(said).toEqual([
    "--scrub is none from now on. It was all when this store was last used.",
    "--sensitive-categories names other topics than when this store was last used.",
  ])
  await run({ scrub: "none" })
  expect(said).toHaveLength(2)
})
