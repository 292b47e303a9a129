import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { writeRelease } from "#dist/release/write-release.js"
import { type Bench, type Finding, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const small = 2_000_000
const large = 36_000_000
const k = 10

async function release(rows: number): Promise<Finding> {
  const context = createContext()
  const input = await readLog(logPath(rows), { cache: join(benchFolder, "cache") }, context)
  const folder = join(benchFolder, `release-${rows}`)
  const { seconds, value } = await timed(async () => {
    const draft = await anonymize(input.log, { method: "equality", k }, context)
    return writeRelease(draft, folder, { input, force: true }, context)
  })
  const bytes = (await stat(join(folder, "log.tsv"))).size
  await rm(folder, { recursive: true })
  return { count: rows, seconds, released: value.files[0]?.rows ?? 0, megabytes: Math.round(bytes / 1e6) }
}

/** The same release from strings: a Map of Sets, sessions in an array, a shuffle, one string per row. */
async function releasePlainly(rows: number): Promise<Finding> {
  const { log } = await readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())
  const path = join(benchFolder, `plain-${rows}.tsv`)
  const { seconds, value } = await timed(() => writePlainly(log, path))
  await rm(path)
  return { count: rows, seconds, released: value }
}

async function writePlainly(log: SearchLog, path: string): Promise<number> {
  const usersOf = new Map<string, Set<string>>()
  const clickersOf = new Map<string, Set<string>>()
  const add = (map: Map<string, Set<string>>, key: string, user: string) => {
    const users = map.get(key) ?? new Set()
    map.set(key, users.add(user))
  }
  for (let row = 0; row < log.rows; row++) add(usersOf, log.queries.text(log.query[row]), log.users.text(log.user[row]))
  const kept = Array.from({ length: log.rows }, (_, row) => row).filter(
    (row) => (usersOf.get(log.queries.text(log.query[row]))?.size ?? 0) >= k,
  )
  for (const row of kept)
    if (log.url[row] >= 0) add(clickersOf, log.urls.text(log.url[row]), log.users.text(log.user[row]))
  const sessions: number[][] = []
  kept.forEach((row, i) => {
    const before = kept[i - 1]
    if (before !== undefined && log.user[before] === log.user[row] && log.time[row] - log.time[before] <= 1800) {
      sessions[sessions.length - 1].push(row)
    } else sessions.push([row])
  })
  for (let i = sessions.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    const held = sessions[i]
    sessions[i] = sessions[j]
    sessions[j] = held
  }
  const file = createWriteStream(path)
  for (const session of sessions) {
    const name = `u${Math.random().toString(36).slice(2, 14)}`
    for (const row of session) {
      const time = new Date(Math.floor(log.time[row] / 3600) * 3_600_000).toISOString().slice(0, 19).replace("T", " ")
      const url = log.url[row] < 0 ? "" : log.urls.text(log.url[row])
      const shown = (clickersOf.get(url)?.size ?? 0) >= k
      const line = [name, log.queries.text(log.query[row]), time, shown ? log.rank[row] : "", shown ? url : ""].join(
        "\t",
      )
      if (!file.write(`${line}\n`)) await once(file, "drain")
    }
  }
  file.end()
  await once(file, "finish")
  return kept.length
}

export const equality: Bench = {
  name: "equality",
  prepare: async () => {
    for (const rows of [small, large]) {
      await makeLog(rows)
      await readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())
    }
  },
  cases: [
    { name: "36 M rows", run: () => release(large) },
    { name: "2 M rows", run: () => release(small) },
    { name: "2 M rows, Map of Sets", run: () => releasePlainly(small) },
  ],
  targets: [secondsAtMost("36 M rows", 20), ratioAtLeast("2 M rows", "2 M rows, Map of Sets", 3)],
}
