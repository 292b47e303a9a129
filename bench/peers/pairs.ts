import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { joinSimilar } from "#dist/kernels/join-similar.js"
import type { UnitVectors } from "#dist/kernels/prefix-index.js"
import { readLog } from "#dist/log/read-log.js"
import { expandLog } from "#dist/methods/affinity/affinity-graph.js"
import type { Finding } from "../case.ts"
import { logPath, makeLog } from "../data.ts"
import { bestOf, type Comparison, sameNumbers, threads } from "./comparison.ts"
import { askPeer, peersFolder } from "./python.ts"

const logRows = 1_000_000
const k = 10
const fileOf = (name: string) => join(peersFolder, `vectors-${name}.bin`)

/** Writes the vectors that `anonymize affinity -k 10` compares. They do not depend on θ. */
async function exportVectors(): Promise<void> {
  await makeLog(logRows)
  await mkdir(peersFolder, { recursive: true })
  const context = createContext()
  const { log } = await readLog(logPath(logRows), {}, context)
  const least = Math.max(k, Math.ceil(log.users.size / 10_000))
  const parameters = { minConceptUsers: least, minTermUsers: least, functionWords: "english", tokens: "words" } as const
  const { expanded } = await expandLog(log, { theta: 1, ...parameters }, context)
  const { offsets, dims, weights } = expanded.vectors
  for (const [name, { buffer, byteOffset, byteLength }] of Object.entries({ offsets, dims, weights })) {
    await writeFile(fileOf(name), new Uint8Array(buffer, byteOffset, byteLength))
  }
}

async function readVectors(): Promise<UnitVectors> {
  const bytes = async (name: string) => new Uint8Array(await readFile(fileOf(name))).buffer
  const dims = new Int32Array(await bytes("dims"))
  return {
    offsets: new Uint32Array(await bytes("offsets")),
    dims,
    weights: new Float64Array(await bytes("weights")),
    size: dims.reduce((most, dim) => Math.max(most, dim), 0) + 1,
  }
}

async function joinVectors(theta: number): Promise<Finding> {
  const vectors = await readVectors()
  const context = createContext({ workers: threads })
  const { seconds, cpu, value } = await bestOf(() => joinSimilar(vectors, { theta }, context))
  return { count: vectors.offsets.length - 1, seconds, cpu, pairs: value.neighbours.length / 2 }
}

/** More than any vector has similar ones, with itself. The peer must know a bound, or memory runs out. */
const mostSimilar = 1000

const pairsOf = (theta: number): Comparison => ({
  name: `pairs ${theta}`,
  work: `all pairs of vectors with a cosine of at least ${theta}`,
  prepare: exportVectors,
  contenders: [
    { name: "queryveil", run: () => joinVectors(theta) },
    { name: "sparse_dot_topn", run: () => askPeer("pairs.py", { theta, most: mostSimilar }) },
  ],
  compare: sameNumbers(["pairs"]),
})

export const pairs: readonly Comparison[] = [pairsOf(0.9), pairsOf(0.8)]
