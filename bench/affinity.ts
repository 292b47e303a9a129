import { join } from "node:path"
import { anonymityDegrees } from "#dist/kernels/anonymity-degrees.js"
import { createContext } from "#dist/kernels/context.js"
import { joinSimilar } from "#dist/kernels/join-similar.js"
import type { UnitVectors } from "#dist/kernels/prefix-index.js"
import { readLog } from "#dist/log/read-log.js"
import { buildAffinityGraph, expandLog } from "#dist/methods/affinity/affinity-graph.js"
import { type Bench, type Finding, memoryAtMost, ratioAtLeast, secondsAtMost, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"

const million = 1_000_000
const sizes = [1, 4, 9, 36]
const sampleRows = 2 * million
const sampleQueries = 200_000
const k = 10

const read = async (rows: number) =>
  (await readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())).log

/** The parameters of `anonymize affinity -k 10`. */
function parameters(users: number, theta: number) {
  const least = Math.max(k, Math.ceil(users / 10_000))
  return { theta, minConceptUsers: least, minTermUsers: least, functionWords: "english", tokens: "words" as const }
}

/** Times the way from the log in memory to the exact degree of every query. */
async function findDegrees(rows: number, theta: number): Promise<Finding> {
  const log = await read(rows)
  const { seconds, value } = await timed(async () => {
    const built = await buildAffinityGraph(log, parameters(log.users.size, theta), createContext())
    const joined = performance.now()
    const degrees = anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 })
    return { built, degrees, peeling: (performance.now() - joined) / 1000 }
  })
  const { expanded, graph } = value.built
  return {
    count: rows,
    seconds,
    peeling: value.peeling,
    queries: log.queries.size,
    expanded: expanded.state.reduce((sum, state) => sum + (state === 0 ? 1 : 0), 0),
    vectors: graph.offsets.length - 1,
    edges: graph.neighbours.length / 2,
    largestDegree: value.degrees.reduce((most, degree) => Math.max(most, degree), 0),
  }
}

/** Vectors of the first expanded queries of a log, one per query. */
async function sampleVectors(theta: number): Promise<{ vectorOf: number[]; vectors: UnitVectors }> {
  const log = await read(sampleRows)
  const { expanded } = await expandLog(log, parameters(log.users.size, theta), createContext())
  const vectorOf = Array.from(expanded.vectorOf.filter((vector) => vector >= 0).subarray(0, sampleQueries))
  return { vectorOf, vectors: expanded.vectors }
}

/** Counts pairs of queries: those with the same vector, and those whose vectors are joined. */
async function joinSample(theta: number): Promise<Finding> {
  const { vectorOf, vectors } = await sampleVectors(theta)
  const { seconds, value } = await timed(async () => {
    const sizeOf = new Map<number, number>()
    for (const vector of vectorOf) sizeOf.set(vector, (sizeOf.get(vector) ?? 0) + 1)
    const distinct = [...sizeOf.keys()]
    const { offsets, neighbours } = await joinSimilar(pick(vectors, distinct), { theta }, createContext())
    const held = distinct.map((vector) => sizeOf.get(vector) ?? 0)
    let pairs = 0
    for (let v = 0; v < distinct.length; v++) {
      pairs += held[v] * (held[v] - 1)
      for (let i = offsets[v]; i < offsets[v + 1]; i++) pairs += held[v] * held[neighbours[i]]
    }
    return pairs / 2
  })
  return { count: vectorOf.length, seconds, pairs: value }
}

/** §3.3 as written: every query scores all queries that share a concept, through an inverted index. */
async function scoreSample(theta: number): Promise<Finding> {
  const { vectorOf, vectors } = await sampleVectors(theta)
  const { seconds, value } = await timed(async () => {
    const chosen = pick(vectors, vectorOf)
    return countSimilar(chosen, { postings: invert(chosen), theta })
  })
  return { count: vectorOf.length, seconds, pairs: value }
}

interface Posting {
  query: number
  weight: number
}

/** The queries that have each concept. */
function invert({ offsets, dims, weights, size }: UnitVectors): Posting[][] {
  const postings: Posting[][] = Array.from({ length: size }, () => [])
  for (let query = 0; query + 1 < offsets.length; query++) {
    for (let i = offsets[query]; i < offsets[query + 1]; i++) postings[dims[i]].push({ query, weight: weights[i] })
  }
  return postings
}

function countSimilar(
  { offsets, dims, weights }: UnitVectors,
  { postings, theta }: { postings: readonly Posting[][]; theta: number },
): number {
  const score = new Float64Array(offsets.length - 1)
  let pairs = 0
  for (let query = 0; query < score.length; query++) {
    const touched: number[] = []
    for (let i = offsets[query]; i < offsets[query + 1]; i++) {
      for (const { query: other, weight } of postings[dims[i]]) {
        if (score[other] === 0) touched.push(other)
        score[other] += weight * weights[i]
      }
    }
    for (const other of touched) {
      if (other > query && score[other] >= theta - 1e-12) pairs++
      score[other] = 0
    }
  }
  return pairs
}

function pick({ offsets, dims, weights, size }: UnitVectors, chosen: readonly number[]): UnitVectors {
  const ends = new Uint32Array(new SharedArrayBuffer((chosen.length + 1) * 4))
  chosen.forEach((vector, i) => {
    ends[i + 1] = ends[i] + offsets[vector + 1] - offsets[vector]
  })
  const picked = { dims: new Int32Array(ends[chosen.length]), weights: new Float64Array(ends[chosen.length]) }
  chosen.forEach((vector, i) => {
    picked.dims.set(dims.subarray(offsets[vector], offsets[vector + 1]), ends[i])
    picked.weights.set(weights.subarray(offsets[vector], offsets[vector + 1]), ends[i])
  })
  return { offsets: ends, ...picked, size }
}

const caseName = (size: number, theta: number) => `${size} M rows, θ = ${theta}`
const [joined, scored] = ["200 k queries, joined", "200 k queries, inverted index"]
const grid = sizes.flatMap((size) => [0.9, 0.8].map((theta) => ({ size, theta })))

function growth(findings: ReadonlyMap<string, Finding>): string {
  const columns = ["queries", "expanded", "vectors", "edges", "largestDegree"]
  const lines = grid.map(({ size, theta }) => {
    const found = findings.get(caseName(size, theta))
    const cells = columns.map((name) =>
      Number(found?.[name] ?? Number.NaN)
        .toLocaleString("en")
        .padStart(14),
    )
    return `${caseName(size, theta).padEnd(20)}${cells.join("")}${Number(found?.peeling ?? Number.NaN)
      .toFixed(1)
      .padStart(10)} s`
  })
  const head = `${"".padEnd(20)}${columns.map((name) => name.padStart(14)).join("")}${"peeling".padStart(12)}`
  const pairs = [joined, scored].map((name) => Number(findings.get(name)?.pairs).toLocaleString("en"))
  return [head, ...lines, "", `pairs of 200 k queries: ${pairs[0]} joined, ${pairs[1]} by the inverted index`, ""].join(
    "\n",
  )
}

export const affinity: Bench = {
  name: "affinity",
  prepare: async () => {
    for (const rows of [...sizes.map((size) => size * million), sampleRows]) {
      await makeLog(rows)
      await readLog(logPath(rows), { cache: join(benchFolder, "cache") }, createContext())
    }
  },
  cases: [
    ...grid.map(({ size, theta }) => ({
      name: caseName(size, theta),
      run: () => findDegrees(size * million, theta),
    })),
    { name: joined, run: () => joinSample(0.9) },
    { name: scored, run: () => scoreSample(0.9) },
  ],
  print: growth,
  targets: [
    secondsAtMost(caseName(36, 0.9), 60),
    secondsAtMost(caseName(36, 0.8), 150),
    memoryAtMost(caseName(36, 0.9), 8192),
    memoryAtMost(caseName(36, 0.8), 8192),
    ratioAtLeast(joined, scored, 20),
  ],
}
