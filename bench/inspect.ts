import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { inspectLog } from "#dist/log/inspect-log.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { detectKinds } from "#dist/text/identifiers/registry.js"
import { type Bench, type Finding, memoryAtMost, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const small = 2_000_000
const large = 36_000_000
const cached = { cache: join(benchFolder, "cache") }

/** Times the way from the file to the inspection. */
async function readAndInspect(rows: number): Promise<Finding> {
  const context = createContext()
  const { seconds, value } = await timed(async () => {
    const { log } = await readLog(logPath(rows), {}, context)
    return inspectLog(log, {}, context)
  })
  return { count: rows, seconds, queries: value.size.queries, trigrams: value.ngrams.lengths[2].unique }
}

/** Times the way from a log in memory to the inspection. */
async function inspect(rows: number): Promise<Finding> {
  const context = createContext()
  const { log } = await readLog(logPath(rows), cached, context)
  const { seconds, value } = await timed(() => inspectLog(log, {}, context))
  return { count: rows, seconds, queries: value.size.queries, trigrams: value.ngrams.lengths[2].unique }
}

/**
 * The same counts from strings, in one thread: a Map for queries, one for the n-grams of each length, Sets of users.
 */
async function inspectPlainly(rows: number): Promise<Finding> {
  const { log } = await readLog(logPath(rows), cached, createContext())
  const { seconds, value } = await timed(async () => countPlainly(log))
  return { count: rows, seconds, ...value }
}

interface Counted {
  occurrences: number
  users: Set<string>
}

function countPlainly(log: SearchLog): { queries: number; trigrams: number; identifiers: number } {
  const queries = new Map<string, Counted>()
  const ngrams = [1, 2, 3].map((n) => ({ n, found: new Map<string, Counted>() }))
  const add = (map: Map<string, Counted>, key: string, user: string) => {
    const known = map.get(key) ?? { occurrences: 0, users: new Set() }
    known.occurrences++
    known.users.add(user)
    map.set(key, known)
  }
  for (let row = 0; row < log.rows; row++) {
    if (row > 0 && log.event[row] === log.event[row - 1]) continue
    const query = log.queries.text(log.query[row])
    const user = log.users.text(log.user[row])
    add(queries, query, user)
    const words = query.split(" ")
    for (const { n, found } of ngrams) {
      for (let i = 0; i + n <= words.length; i++) add(found, words.slice(i, i + n).join(" "), user)
    }
  }
  let identifiers = 0
  for (const query of queries.keys()) if (detectKinds(query) !== 0) identifiers++
  return { queries: queries.size, trigrams: ngrams[2].found.size, identifiers }
}

export const inspectBench: Bench = {
  name: "inspect",
  prepare: async () => {
    for (const rows of [small, large]) await makeLog(rows)
    for (const rows of [small, large]) await readLog(logPath(rows), cached, createContext())
  },
  cases: [
    { name: "36 M rows, read and inspected", run: () => readAndInspect(large) },
    { name: "36 M rows", run: () => inspect(large) },
    { name: "2 M rows", run: () => inspect(small) },
    { name: "2 M rows, Maps of strings", run: () => inspectPlainly(small) },
  ],
  targets: [
    secondsAtMost("36 M rows, read and inspected", 40),
    memoryAtMost("36 M rows, read and inspected", 6000),
    ratioAtLeast("2 M rows", "2 M rows, Maps of strings", 5),
  ],
}
