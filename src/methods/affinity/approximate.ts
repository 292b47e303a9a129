import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import type { UserSets } from "../../kernels/distinct-users.ts"
import { findSimilar } from "../../kernels/find-similar.ts"
import { indexPrefixes, type UnitVectors } from "../../kernels/prefix-index.ts"
import type { ExpandedLog } from "./affinity-graph.ts"

/** The vectors that are θ-affine to a vector, ascending, without itself. */
export type Neighbours = (vector: number) => Int32Array

const keptNeighbours = 1 << 24

/** Finds neighbours when they are requested, and caches some, instead of joining all vectors. */
export function openNeighbours(vectors: UnitVectors, { theta }: { theta: number }): Neighbours {
  const index = indexPrefixes(vectors, theta)
  const known = new Map<number, Int32Array>()
  let kept = 0
  return (vector) => {
    const held = known.get(vector)
    if (held !== undefined) return held
    const found = findSimilar(index, vector)
    if (kept > keptNeighbours) {
      known.clear()
      kept = 0
    }
    known.set(vector, found)
    kept += found.length + 8
    return found
  }
}

/** A part of the graph of θ-affine queries: a vector, which comes first, and the vectors nearest to it. */
export interface Surroundings {
  /** In breadth-first order. */
  vectors: number[]
  /** By vector: the others that are affine to it, as indices into `vectors`. */
  near: Int32Array[]
  /** True if nothing was left out: this is a whole component of the graph. */
  closed: boolean
}

/** Grows the surroundings of a vector until no neighbour is new, or there are `vmax` vectors. §3.4. */
export function growSurroundings(neighbours: Neighbours, vector: number, { vmax }: { vmax: number }): Surroundings {
  const place = new Map([[vector, 0]])
  const vectors = [vector]
  let closed = true
  for (let i = 0; i < vectors.length; i++) {
    for (const other of neighbours(vectors[i])) {
      if (place.has(other)) continue
      if (vectors.length < vmax) {
        place.set(other, vectors.length)
        vectors.push(other)
      } else {
        closed = false
      }
    }
    if (!closed) break
  }
  const near = vectors.map((member) => {
    const places: number[] = []
    for (const other of neighbours(member)) {
      const at = place.get(other)
      if (at !== undefined) places.push(at)
    }
    return Int32Array.from(places).sort()
  })
  return { vectors, near, closed }
}

/** The degree of each vector inside the surroundings alone. It is at most the degree in the whole graph. */
export function peelSurroundings({ vectors, near }: Surroundings, { offsets, users }: UserSets): Uint32Array {
  const graphOffsets = new Float64Array(vectors.length + 1)
  const userOffsets = new Uint32Array(vectors.length + 1)
  vectors.forEach((vector, i) => {
    graphOffsets[i + 1] = graphOffsets[i] + near[i].length
    userOffsets[i + 1] = userOffsets[i] + offsets[vector + 1] - offsets[vector]
  })
  const neighbours = new Int32Array(graphOffsets[vectors.length])
  const own = new Int32Array(userOffsets[vectors.length])
  vectors.forEach((vector, i) => {
    neighbours.set(near[i], graphOffsets[i])
    own.set(users.subarray(offsets[vector], offsets[vector + 1]), userOffsets[i])
  })
  // Peeling allocates memory up to the largest user number, so users are renumbered.
  const number = new Map<number, number>()
  for (const user of own) if (!number.has(user)) number.set(user, number.size)
  const sets = { offsets: userOffsets, users: own.map((user) => number.get(user) ?? 0) }
  return anonymityDegrees({ offsets: graphOffsets, neighbours }, sets, { cap: own.length + 1 })
}

/** A degree, or a lower bound of it. */
export interface ApproximateDegree {
  degree: number
  /** True if `degree` is exact: the surroundings were a whole component, or the query is not expanded. */
  closed: boolean
  /** Vectors that were examined; 0 for a query that is not expanded. */
  vertices: number
}

/**
 * A lower bound of a query's anonymity degree, computed from at most `vmax` vectors around it. It is the degree itself
 * if the subgraph closed. Carpineto & Romano 2015, §3.4. Queries with the same concepts are one vertex.
 */
export function approximateDegree(
  built: Pick<ExpandedLog, "counts" | "expanded" | "users">,
  query: number,
  { neighbours, vmax }: { neighbours: Neighbours; vmax: number },
): ApproximateDegree {
  const { counts, expanded, users } = built
  const vector = expanded.vectorOf[query]
  if (vector < 0) return { degree: counts.users[query], closed: true, vertices: 0 }
  const around = growSurroundings(neighbours, vector, { vmax })
  return { degree: peelSurroundings(around, users)[0], closed: around.closed, vertices: around.vectors.length }
}
