import { hashBytes, Interner } from "../../kernels/dictionary.ts"
import type { UnitVectors } from "../../kernels/prefix-index.ts"
import type { TokenisedQueries } from "../../text/tokens.ts"
import type { Concepts } from "./mine-concepts.ts"

/** State of a query: it has concepts, it has none, or it has some but they may not protect it. */
export const queryStates = ["expanded", "plain", "excluded"] as const

/** Queries as vectors of their concepts. Queries with the same concepts share one vector. */
export interface ExpandedQueries {
  /** By query: index into `queryStates`. */
  state: Uint8Array
  /** By query: its vector, or -1 if it is not expanded. */
  vectorOf: Int32Array
  vectors: UnitVectors
}

const [expanded, plain, excluded] = [0, 1, 2]

/**
 * Turns each query into the vector of its concepts, each counted once, scaled to length one. A query without a concept
 * is plain. A query is excluded if it has a concept and a word that fewer than `minTermUsers` users issued. An excluded
 * query has no vector, so no other query protects it, and it protects none. Carpineto & Romano 2015, §3.2.
 */
export function expandQueries(
  { offsets, tokens }: TokenisedQueries,
  concepts: Concepts,
  { minTermUsers }: { minTermUsers: number },
): ExpandedQueries {
  const queries = offsets.length - 1
  const { ngrams, conceptOf } = concepts
  const state = new Uint8Array(queries)
  const vectorOf = new Int32Array(queries).fill(-1)
  const distinct = new Interner({ expected: Math.min(1 << 22, queries / 2) })
  const termUsers = ngrams[0].users
  let held = new Int32Array(64)
  for (let query = 0; query < queries; query++) {
    const [from, to] = [offsets[query], offsets[query + 1]]
    if ((to - from) * ngrams.length > held.length) held = new Int32Array((to - from) * ngrams.length * 2)
    let size = 0
    let isRare = false
    for (let token = from; token < to; token++) {
      if (termUsers[tokens[token]] < minTermUsers) isRare = true
      for (let i = 0; i < ngrams.length && token + i < to; i++) {
        const concept = conceptOf[i][ngrams[i].at[token]]
        if (concept >= 0) size = insert(held, size, concept)
      }
    }
    state[query] = size === 0 ? plain : isRare ? excluded : expanded
    if (state[query] !== expanded) continue
    const bytes = new Uint8Array(held.buffer, 0, size * 4)
    vectorOf[query] = distinct.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, distinct.seed))
  }
  return { state, vectorOf, vectors: unitVectors(distinct, concepts) }
}

/** Inserts a number into an ascending list if it is not there yet. Returns the list's length. */
function insert(list: Int32Array, length: number, value: number): number {
  let at = length
  while (at > 0 && list[at - 1] > value) at--
  if (at > 0 && list[at - 1] === value) return length
  list.copyWithin(at + 1, at, length)
  list[at] = value
  return length + 1
}

function unitVectors(distinct: Interner, { weight, size }: Concepts): UnitVectors {
  const offsets = new Uint32Array(new SharedArrayBuffer((distinct.size + 1) * 4))
  for (let v = 0; v < distinct.size; v++) offsets[v + 1] = distinct.offsets[v + 1] / 4
  const bytes = distinct.arena.slice(0, distinct.offsets[distinct.size])
  const dims = new Int32Array(bytes.buffer)
  const weights = new Float64Array(dims.length)
  for (let v = 0; v < distinct.size; v++) {
    let square = 0
    for (let i = offsets[v]; i < offsets[v + 1]; i++) square += weight[dims[i]] ** 2
    const norm = Math.sqrt(square)
    for (let i = offsets[v]; i < offsets[v + 1]; i++) weights[i] = weight[dims[i]] / norm
  }
  return { offsets, dims, weights, size }
}
