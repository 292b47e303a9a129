import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { drawDiscreteLaplace } from "#dist/kernels/noise/draw-discrete-laplace.js"
import { rationalOf } from "#dist/kernels/noise/rational.js"
import { seededRandom } from "#dist/kernels/random.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { writeRelease } from "#dist/release/write-release.js"
import { type Bench, type Finding, memoryAtMost, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const small = 2_000_000
const large = 36_000_000

const read = (rows: number) => readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())

/** Times the way from the log in memory to three files. Queries with an identifier are scrubbed first, as always. */
async function release(
  rows: number,
  options: Record<string, string> = { epsilon: "10", delta: "1e-8" },
): Promise<Finding> {
  const input = await read(rows)
  const folder = join(benchFolder, `counts-${rows}`)
  const context = createContext()
  const { seconds, value } = await timed(async () => {
    const draft = await anonymize(input.log, { ...options, method: "counts" as const }, context)
    return writeRelease(draft, folder, { input, force: true }, context)
  })
  await rm(folder, { recursive: true, force: true })
  await rm(`${folder}.receipt.json`, { force: true })
  const found = Object.fromEntries(value.files.map((file) => [file.path.replace(".tsv", ""), file.rows]))
  return { count: rows, seconds, ...found }
}

/** The same tables as a script would make them: maps of maps, one draw of the plain sampler per key. */
async function releasePlainly(rows: number): Promise<Finding> {
  const { log } = await read(rows)
  const { seconds } = await timed(async () => {
    const random = seededRandom(1)
    const shown = (counts: Map<string, number>, threshold: number, scale: string) =>
      [...counts]
        .filter(([, count]) => count >= 5)
        .map(([key, count]) => [key, count + Number(drawDiscreteLaplace(rationalOf(scale), random))] as const)
        .filter(([, count]) => count >= threshold)
        .sort(([a], [b]) => (a < b ? -1 : 1))
    const [queries, clicks, transitions] = countPlainly(log)
    const released = shown(queries, 45, "2")
    const among = new Set(released.map(([query]) => query))
    const pairs = (counts: Map<string, number>, both: boolean) => {
      const kept = [...counts].filter(([key]) => {
        const [first = "", second = ""] = key.split("\t")
        return among.has(first) && (!both || among.has(second))
      })
      return shown(new Map(kept), 90, "4")
    }
    const tables = [released, pairs(clicks, false), pairs(transitions, true)]
    for (const [i, table] of tables.entries()) {
      const file = join(benchFolder, `plain-${i}.tsv`)
      await writeFile(file, table.map((row) => `${row.join("\t")}\n`).join(""))
      await rm(file)
    }
  })
  return { count: rows, seconds }
}

function countPlainly(log: SearchLog): [Map<string, number>, Map<string, number>, Map<string, number>] {
  const counts: [Map<string, number>, Map<string, number>, Map<string, number>] = [new Map(), new Map(), new Map()]
  let own = counts.map(() => new Set<string>())
  for (let row = 0; row < log.rows; row++) {
    if (row > 0 && log.user[row] !== log.user[row - 1]) own = counts.map(() => new Set<string>())
    const query = log.queries.text(log.query[row])
    const keys: (string | undefined)[] = [query]
    keys.push(log.url[row] < 0 ? undefined : `${query}\t${log.urls.text(log.url[row])}`)
    const follows = row > 0 && log.user[row] === log.user[row - 1] && log.time[row] - log.time[row - 1] <= 1800
    const isNext = follows && log.query[row] !== log.query[row - 1]
    keys.push(isNext ? `${log.queries.text(log.query[row - 1])}\t${query}` : undefined)
    for (const [i, key] of keys.entries()) {
      const seen = own[i]
      if (key === undefined || seen === undefined || seen.size >= 10 || seen.has(key)) continue
      seen.add(key)
      counts[i]?.set(key, (counts[i]?.get(key) ?? 0) + 1)
    }
  }
  return counts
}

export const countsBench: Bench = {
  name: "counts",
  prepare: async () => {
    for (const rows of [small, large]) {
      await makeLog(rows)
      await read(rows)
    }
  },
  cases: [
    { name: "36 M rows", run: () => release(large) },
    { name: "2 M rows", run: () => release(small) },
    { name: "2 M rows, public keys", run: () => release(small, { epsilon: "10", mode: "pure" }) },
    { name: "2 M rows, maps of texts", run: () => releasePlainly(small) },
  ],
  targets: [
    secondsAtMost("36 M rows", 45),
    memoryAtMost("36 M rows", 8192),
    ratioAtLeast("2 M rows", "2 M rows, maps of texts", 2),
  ],
}
