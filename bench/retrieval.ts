import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { createWalker } from "#dist/kernels/retrieval/random-walk.js"
import { rankDocuments } from "#dist/kernels/retrieval/rank-documents.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { gatherTests } from "#dist/measures/retrieval/fold-tests.js"
import { trainOn } from "#dist/measures/retrieval/judge-system.js"
import { edgesOfRows } from "#dist/measures/shown/click-edges.js"
import { type Bench, type Finding, memoryAtMost, ratioAtLeast, secondsAtMost, type Target, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const small = 2_000_000
const large = 36_000_000
const walk = { steps: 3, selfLoop: 0.1 }
const depth = 10
const gapSeconds = 1800

const readCached = (rows: number) => readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())

/** The test queries: 10,000 queries with a click. */
const askedOf = (log: SearchLog) => gatherTests(log, { folds: 5, queries: 10_000, seed: 1 }).asked

/** Times the way from rows in memory, all of them released, to the ten best documents of every query. */
async function rank(rows: number): Promise<Finding> {
  const { log } = await readCached(rows)
  const asked = askedOf(log)
  const graph = await timed(async () => trainOn(edgesOfRows(log)).graph)
  const names = log.urls.parts()
  const walked = await timed(async () => {
    const walkFrom = createWalker(graph.value, walk)
    let sum = 0
    let reached = 0
    for (const query of asked) {
      const found = walkFrom(query)
      reached += found.count
      sum += rankDocuments(found, { depth, names }).scores.reduce((all, score) => all + score, 0)
    }
    return { sum, reached }
  })
  return {
    count: rows,
    seconds: graph.seconds + walked.seconds,
    graphSeconds: graph.seconds,
    walkSeconds: walked.seconds,
    queries: asked.length,
    edges: graph.value.clicks.targets.length + graph.value.transitions.targets.length,
    ...walked.value,
  }
}

/** The same over a Map of Maps of texts, which are prepared beforehand. */
async function rankPlainly(rows: number): Promise<Finding> {
  const { log } = await readCached(rows)
  const queries = Array.from({ length: log.queries.size }, (_, id) => log.queries.text(id))
  const urls = Array.from({ length: log.urls.size }, (_, id) => `u ${log.urls.text(id)}`)
  const asked = Array.from(askedOf(log), (query) => queries[query] ?? "")
  const graph = await timed(async () => countPlainly(log, { queries, urls }))
  const walked = await timed(async () => {
    let sum = 0
    for (const query of asked) {
      const best = [...walkPlainly(graph.value, query)]
        .filter(([node]) => node.startsWith("u "))
        .sort(([a, p], [b, q]) => q - p || (a < b ? 1 : -1))
        .slice(0, depth)
      sum = best.reduce((all, [, p]) => all + Math.fround(p), sum)
    }
    return { sum }
  })
  return {
    count: rows,
    seconds: graph.seconds + walked.seconds,
    graphSeconds: graph.seconds,
    walkSeconds: walked.seconds,
    ...walked.value,
  }
}

type Counts = Map<string, Map<string, number>>

function countPlainly(log: SearchLog, { queries, urls }: { queries: string[]; urls: string[] }): Counts {
  const counts: Counts = new Map()
  const add = (from: string, to: string) => {
    const own = counts.get(from) ?? new Map<string, number>()
    counts.set(from, own.set(to, (own.get(to) ?? 0) + 1))
  }
  for (let row = 0; row < log.rows; row++) {
    const query = queries[log.query[row] ?? 0] ?? ""
    const url = log.url[row] ?? -1
    if (url >= 0) add(query, urls[url] ?? "")
    const before = row - 1
    if (row === 0 || log.user[row] !== log.user[before] || log.query[row] === log.query[before]) continue
    if ((log.time[row] ?? 0) - (log.time[before] ?? 0) <= gapSeconds) add(queries[log.query[before] ?? 0] ?? "", query)
  }
  return counts
}

function walkPlainly(counts: Counts, start: string): Map<string, number> {
  let mass = new Map([[start, 1]])
  for (let step = 0; step < walk.steps; step++) {
    const next = new Map<string, number>()
    const add = (node: string, value: number) => next.set(node, (next.get(node) ?? 0) + value)
    for (const [node, value] of mass) {
      const leaving = counts.get(node)
      add(node, leaving === undefined ? value : walk.selfLoop * value)
      let total = 0
      for (const count of leaving?.values() ?? []) total += count
      for (const [to, count] of leaving ?? []) add(to, ((1 - walk.selfLoop) * value * count) / total)
    }
    mass = next
  }
  return mass
}

/** Both ways must find the same. */
const sameSum: Target = {
  what: "sum of the scores, fast and plain",
  limit: "equal",
  check: (findings) => {
    const [fast, plain] = ["2 M rows", "2 M rows, Map of Maps"].map((name) => Number(findings.get(name)?.sum))
    const apart = Math.abs((fast ?? Number.NaN) - (plain ?? Number.NaN))
    return { value: apart.toExponential(1), met: apart < 1e-6 }
  },
}

const walkRatio: Target = {
  what: "2 M rows, walks alone over Map of Maps",
  limit: "≥ 10×",
  check: (findings) => {
    const [fast, plain] = ["2 M rows", "2 M rows, Map of Maps"].map((name) => Number(findings.get(name)?.walkSeconds))
    const ratio = (plain ?? Number.NaN) / (fast ?? Number.NaN)
    return { value: `${ratio.toFixed(1)}×`, met: ratio >= 10 }
  },
}

/**
 * The run with the median time of three in one process, for the fast way and the plain one alike. A single case of
 * about a second says little on a busy machine.
 */
async function medianOf(run: () => Promise<Finding>): Promise<Finding> {
  const findings = [await run(), await run(), await run()].sort((a, b) => a.seconds - b.seconds)
  return findings[1] ?? run()
}

export const retrievalBench: Bench = {
  name: "retrieval",
  prepare: async () => {
    for (const rows of [small, large]) {
      await makeLog(rows)
      await readCached(rows)
    }
  },
  cases: [
    { name: "36 M rows", run: () => rank(large) },
    { name: "2 M rows", run: () => medianOf(() => rank(small)) },
    { name: "2 M rows, Map of Maps", run: () => medianOf(() => rankPlainly(small)) },
  ],
  targets: [
    secondsAtMost("36 M rows", 60),
    memoryAtMost("36 M rows", 6000),
    ratioAtLeast("2 M rows", "2 M rows, Map of Maps", 10),
    walkRatio,
    sameSum,
  ],
}
