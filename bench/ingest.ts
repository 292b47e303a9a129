import { createReadStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { release } from "#dist/app/release.js"
import { createContext } from "#dist/kernels/context.js"
import { countBytes, lineBlocks } from "#dist/log/blocks.js"
import { planAol } from "#dist/log/formats/aol.js"
import { BlockParser } from "#dist/log/formats/parse-block.js"
import type { TextBlock } from "#dist/log/formats/parsed-block.js"
import { readLog } from "#dist/log/read-log.js"
import { type Bench, type Finding, memoryAtMost, rateAtLeast, ratioAtLeast, timed } from "./case.ts"
import { benchFolder, logPath, makeGzip, makeLog } from "./data.ts"

const small = 2_000_000
const middle = 10_000_000
const large = 36_000_000

async function read(path: string): Promise<Finding> {
  const { seconds, value } = await timed(() => readLog(path, {}, createContext()))
  const { rows, events, users, queries } = value.log
  return { count: rows, seconds, events, users: users.size, queries: queries.size }
}

/** The obvious first version: readline, split, a Map for each column, arrays of numbers, a sort at the end. */
async function readPlainly(path: string): Promise<Finding> {
  const { seconds, value } = await timed(async () => {
    const maps = { user: new Map<string, number>(), query: new Map<string, number>(), url: new Map<string, number>() }
    const idOf = (map: Map<string, number>, text: string) => {
      const known = map.get(text)
      if (known !== undefined) return known
      map.set(text, map.size)
      return map.size - 1
    }
    const rows: [number, number, number, number, number][] = []
    let header = true
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (header) {
        header = false
        continue
      }
      const [user = "", raw = "", time = "", rank = "", url = ""] = line.split("\t")
      const query = raw.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()
      const seconds = Date.parse(`${time.replace(" ", "T")}Z`) / 1000
      if (user === "" || query === "" || Number.isNaN(seconds)) continue
      rows.push([
        idOf(maps.user, user),
        seconds,
        idOf(maps.query, query),
        Number(rank),
        url === "" ? -1 : idOf(maps.url, url),
      ])
    }
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3])
    return { rows: rows.length, queries: maps.query.size }
  })
  return { count: value.rows, seconds, queries: value.queries }
}

/** Parses a log in blocks on this thread, with or without the reader of plain lines. */
async function parseAlone(path: string, { plain }: { plain: boolean }): Promise<Finding> {
  const seed = 1
  const blocks: TextBlock[] = []
  for await (const { bytes, length } of lineBlocks({ path }, countBytes())) {
    const skipLines = blocks.length === 0 ? 1 : 0
    blocks.push({ bytes, length, plan: planAol(bytes.subarray(0, length), { said: true }), skipLines, seed })
  }
  const parser = new BlockParser({ seed, plain })
  const { seconds, value } = await timed(async () =>
    blocks.reduce((rows, block) => rows + parser.parse(block).user.length, 0),
  )
  return { count: value, seconds }
}

/** Reads a log, releases the rows of the queries of at least ten users, and writes them. */
async function selectAndWrite(path: string): Promise<Finding> {
  const folder = await mkdtemp(join(benchFolder, "release-"))
  const context = createContext()
  try {
    const { seconds, value } = await timed(() =>
      release(
        () => readLog(path, {}, context),
        { method: "equality", k: 10, scrub: "none" },
        { folder: join(folder, "out") },
        context,
      ),
    )
    const { rows } = value.receipt.input
    return { count: rows, seconds, released: value.receipt.released.rows }
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const ingest: Bench = {
  name: "ingest",
  prepare: async () => {
    for (const rows of [small, middle, large]) await makeLog(rows)
    await makeGzip(middle)
  },
  cases: [
    { name: "10 M rows, text", run: () => read(logPath(middle)) },
    { name: "10 M rows, gzip", run: () => read(`${logPath(middle)}.gz`) },
    { name: "36 M rows, text", run: () => read(logPath(large)) },
    { name: "2 M rows, text", run: () => read(logPath(small)) },
    { name: "2 M rows, readline and Map", run: () => readPlainly(logPath(small)) },
    { name: "2 M rows parsed, plain lines", run: () => parseAlone(logPath(small), { plain: true }) },
    { name: "2 M rows parsed, without", run: () => parseAlone(logPath(small), { plain: false }) },
    { name: "10 M rows, select and write", run: () => selectAndWrite(logPath(middle)) },
  ],
  targets: [
    rateAtLeast("10 M rows, text", 1_200_000),
    rateAtLeast("10 M rows, gzip", 900_000),
    memoryAtMost("10 M rows, text", 2500),
    memoryAtMost("10 M rows, gzip", 2500),
    memoryAtMost("36 M rows, text", 6000),
    ratioAtLeast("2 M rows, text", "2 M rows, readline and Map", 4),
    ratioAtLeast("2 M rows parsed, plain lines", "2 M rows parsed, without", 2),
    memoryAtMost("10 M rows, select and write", 1600),
  ],
}
