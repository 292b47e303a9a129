import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { type RandomSource, shuffle } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { normaliseQuery } from "../../text/normalise.ts"
import { type ExpandedLog, usersOfVectors } from "./affinity-graph.ts"
import { approximateDegree, type Neighbours, openNeighbours } from "./approximate.ts"

/** Degrees of the queries that were examined. */
export interface ApproximateDegrees {
  /** By query: 1 if it was examined. */
  listed: Uint8Array
  degrees: Uint32Array
  /** By query: 1 if `degrees` has a lower bound, so that the degree may be larger. */
  isBound: Uint8Array
  /** By query: vectors of the subgraph around it; 0 if there is none. */
  vertices: Uint32Array
  neighbours: Neighbours
}

/** Lower bounds of the degrees of the listed queries, of a sample, or of all queries. Carpineto & Romano 2015, §3.4. */
export async function approximateDegrees(
  log: SearchLog,
  built: ExpandedLog,
  options: { theta: number; vmax: number; queries?: string | undefined; sample?: number | undefined },
  context: RunContext,
): Promise<ApproximateDegrees> {
  const { theta, vmax } = options
  const chosen = chooseQueries(log, built, { ...options, random: context.random })
  const neighbours = openNeighbours(built.expanded.vectors, { theta })
  const size = log.queries.size
  const found = {
    listed: new Uint8Array(size),
    degrees: new Uint32Array(size),
    isBound: new Uint8Array(size),
    vertices: new Uint32Array(size),
  }
  for (let i = 0; i < chosen.length; i++) {
    if (i % 64 === 0) await yieldAndReport(context, { stage: "peeling surroundings", done: i, total: chosen.length })
    const query = chosen[i]
    const { degree, closed, vertices } = approximateDegree(built, query, { neighbours, vmax })
    found.listed[query] = 1
    found.degrees[query] = degree
    found.isBound[query] = closed ? 0 : 1
    found.vertices[query] = vertices
  }
  return { ...found, neighbours }
}

/**
 * The queries that may be examined, among those that somebody issued. A listed text that is not in the log is ignored.
 */
export function listCandidates(
  log: SearchLog,
  { counts }: ExpandedLog,
  { queries }: { queries?: string | undefined },
): Uint32Array {
  const listed = new Set<number>()
  if (queries === undefined) for (let query = 0; query < log.queries.size; query++) listed.add(query)
  else for (const line of queries.split("\n")) listed.add(log.queries.find(normaliseQuery(line)))
  return Uint32Array.from([...listed].filter((query) => query >= 0 && counts.users[query] > 0))
}

/** The queries to examine: all candidates, or a sample of them. */
function chooseQueries(
  log: SearchLog,
  built: ExpandedLog,
  { queries, sample, random }: { queries?: string | undefined; sample?: number | undefined; random: RandomSource },
): Uint32Array {
  const chosen = listCandidates(log, built, { queries })
  if (sample === undefined) return chosen
  shuffle(chosen, random)
  return chosen.slice(0, sample)
}

/**
 * By query: 1 if it is released. Its bound must reach k, and k users must be around it among the released queries. A
 * query that contributed to its degree may not be listed; then it is not released with it and does not count.
 */
export function selectApproximately(
  log: SearchLog,
  built: ExpandedLog,
  { found, k, named }: { found: ApproximateDegrees; k: number; named: Uint8Array },
): Uint8Array {
  const { vectorOf, vectors } = built.expanded
  const leave = Uint8Array.from(found.degrees, (degree, query) => (degree >= k && named[query] === 0 ? 0 : 1))
  const isIn = new Uint8Array(vectors.offsets.length - 1)
  for (let query = 0; query < leave.length; query++) {
    if (leave[query] === 0 && vectorOf[query] >= 0) isIn[vectorOf[query]] = 1
  }
  const lists = Array.from(isIn, (mark, vector) =>
    mark === 0 ? new Int32Array() : found.neighbours(vector).filter((other) => isIn[other] === 1),
  )
  const offsets = new Float64Array(lists.length + 1)
  lists.forEach((list, vector) => {
    offsets[vector + 1] = offsets[vector] + list.length
  })
  const neighbours = new Int32Array(offsets[lists.length])
  lists.forEach((list, vector) => {
    neighbours.set(list, offsets[vector])
  })
  const degrees = anonymityDegrees({ offsets, neighbours }, usersOfVectors(log, built.expanded, leave), { cap: k })
  return leave.map((left, query) => {
    if (left === 1) return 0
    return vectorOf[query] < 0 || degrees[vectorOf[query]] >= k ? 1 : 0
  })
}
