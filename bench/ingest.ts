import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { type Bench, type Finding, memoryAtMost, rateAtLeast, ratioAtLeast, timed } from "./case.ts"
import { logPath, makeGzip, makeLog } from "./data.ts"

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
  ],
  targets: [
    rateAtLeast("10 M rows, text", 1_200_000),
    rateAtLeast("10 M rows, gzip", 900_000),
    memoryAtMost("10 M rows, text", 2500),
    memoryAtMost("10 M rows, gzip", 2500),
    memoryAtMost("36 M rows, text", 6000),
    ratioAtLeast("2 M rows, text", "2 M rows, readline and Map", 4),
  ],
}
