import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { chiSquareTest } from "#dist/kernels/statistics/chi-square.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

/**
 * One group. Every hiker clicks on maps twice, under two of four texts. Every reader clicks on maps once and on news
 * once, under one of four texts; most readers use the first. If a reader is the centroid, each hiker keeps one of their
 * two clicks and gets one of the four texts of news.
 */
const hikers = 600
const search = (user: string, query: string, site: string): Search => {
  return { user, query, time: timeAfter(0), rank: 1, url: `http://${site}` }
}
const log = [
  ...Array.from({ length: hikers }, (_, i) => [
    search(`hiker-${i}`, `map ${"ab"[i % 2]}`, "maps"),
    search(`hiker-${i}`, `map ${"cd"[i % 2]}`, "maps"),
  ]),
  ...Array.from({ length: hikers }, (_, i) => [
    search(`reader-${i}`, "map a", "maps"),
    search(`reader-${i}`, `news ${"bcd"[i] ?? "a"}`, "news"),
  ]),
].flat()

/** How often hikers have each of the four texts of news, and which of their own maps each hiker kept. */
async function countDraws(seed: number) {
  const read = createContext({ workers: 1 })
  const input = await readLog(write(aolText(log), "log.tsv"), {}, read)
  const options = {
    method: "groups",
    mode: "exact",
    k: 2 * hikers,
    minQueryUsers: 1,
    users: "keep",
    urls: "keep",
  } as const
  const { rows } = await anonymize(input.log, options, createContext({ workers: 1, seed }))
  const [news, kept] = [new Map<string, number>(), new Map<string, number>()]
  const add = (counts: Map<string, number>, text: string) => counts.set(text, (counts.get(text) ?? 0) + 1)
  for (const row of rows.order) {
    if (!input.log.users.text(rows.log.user[row]).startsWith("hiker")) continue
    const text = input.log.queries.text(rows.log.query[row])
    add(text.startsWith("news") ? news : kept, text)
  }
  return { news: [...news.values()], kept: [...kept.values()] }
}

/** A seed under which a reader is the centroid, as under half of the seeds. */
async function drawsOfReader() {
  for (let seed = 1; ; seed++) {
    const found = await countDraws(seed)
    if (found.news.length > 0) return found
  }
}

describe("query objects", () => {
  // Seeded, so it always passes or always fails. Of all seeds, one in a million would fail by chance.
  test("that are added are drawn from the texts of their cell uniformly, and so are the kept ones", async () => {
    const { news, kept } = await drawsOfReader()
    expect(news.length).toBe(4)
    expect(news.reduce((sum, count) => sum + count, 0)).toBe(hikers)
    expect(chiSquareTest(news).p).toBeGreaterThan(1e-6)
    expect(kept.length).toBe(4)
    expect(chiSquareTest(kept).p).toBeGreaterThan(1e-6)
  })

  test("the same test catches draws by frequency, and the first of one's own being kept", () => {
    expect(chiSquareTest([400, 200, 100, 100]).p).toBeLessThan(1e-6)
    expect(chiSquareTest([400, 400, 0, 0]).p).toBeLessThan(1e-6)
  })
})

describe("centroids", () => {
  /** Twelve people who share nothing. The first four click a lot. */
  const strangers = Array.from({ length: 12 }, (_, i) =>
    Array.from({ length: i < 4 ? 20 : 1 }, () => search(`stranger-${i}`, `query ${i}`, `site-${i}`)),
  ).flat()

  /** How often each of them is a centroid. */
  async function countCentroids(runs: number): Promise<number[]> {
    const { log: read } = await readLog(write(aolText(strangers)), {}, createContext({ workers: 1 }))
    const counts = Array<number>(12).fill(0)
    for (let seed = 1; seed <= runs; seed++) {
      const options = { method: "groups", k: 4, minQueryUsers: 1, urls: "keep" } as const
      const { audit } = await anonymize(read, options, createContext({ workers: 1, seed }))
      for (let row = 0; row < audit.groups.rows; row++) {
        const [name, isCentroid] = [audit.groups.cell(row, 0), audit.groups.cell(row, 2)]
        if (isCentroid === 1) counts[Number(String(name).split("-")[1])]++
      }
    }
    return counts
  }

  // 400 fixed seeds. Of all choices of them, one in a million would fail by chance.
  test("are heavy users as often as light ones, if no two users are alike", async () => {
    const counts = await countCentroids(400)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1200)
    expect(chiSquareTest(counts).p).toBeGreaterThan(1e-6)
  })

  test("the same test catches that light users are taken as members first", () => {
    // The first centroid takes three light users, and so does the second. Of three centroids, more are heavy.
    expect(chiSquareTest([200, 200, 200, 200, 50, 50, 50, 50, 50, 50, 50, 50]).p).toBeLessThan(1e-6)
  })
})
