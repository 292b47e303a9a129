import type { ConceptTree } from "./concept-tree.ts"

/** By query, the synsets of its terms: those of query q are synsets[offsets[q], offsets[q + 1]). */
export interface QueryTerms {
  offsets: Uint32Array
  synsets: Int32Array
}

/**
 * Places each query at one of its terms. Queries are grouped as in Carpineto & Romano 2015, §4.4.1: two are grouped if
 * each has a term below the same concept. From the root, a query descends to the child that most queries at its node
 * could descend to; of equals, to the one with the lowest number. It stops when none of its terms is deeper. A query
 * without terms stays at the root.
 */
export function placeByTerms(tree: ConceptTree, terms: QueryTerms): Int32Array {
  const { root, parent, order } = tree
  const { offsets, synsets } = terms
  const level = new Int32Array(parent.length)
  for (const node of order) if (node !== root) level[node] = level[parent[node]] + 1
  const home = new Int32Array(offsets.length - 1).fill(root)
  const waiting = new Map<number, number[]>([[root, [...home.keys()]]])
  const descent: Descent = {
    parent,
    offsets,
    next: Int32Array.from(synsets, (synset) => childAbove(tree, level, { synset, node: root })),
    reach: new Int32Array(parent.length),
    countedFor: new Int32Array(parent.length).fill(-1),
  }
  for (const node of order) {
    const queries = waiting.get(node)
    if (queries === undefined) continue
    waiting.delete(node)
    for (const query of queries) countReach(descent, query, node)
    for (const query of queries) {
      const best = widestChild(descent, query, node)
      if (best < 0) continue
      home[query] = best
      for (let i = offsets[query]; i < offsets[query + 1]; i++) {
        descent.next[i] = descent.next[i] === best ? childAbove(tree, level, { synset: synsets[i], node: best }) : -1
      }
      const list = waiting.get(best)
      if (list === undefined) waiting.set(best, [query])
      else list.push(query)
    }
  }
  return home
}

/** Where queries may go from the node that they are at. */
interface Descent {
  parent: Int32Array
  offsets: Uint32Array
  /** By term: the child of the query's node that is the term or an ancestor of it; -1 if there is none. */
  next: Int32Array
  /** By child: queries that could descend to it. */
  reach: Int32Array
  /** By child: the last query that was counted for it. */
  countedFor: Int32Array
}

function countReach({ parent, offsets, next, reach, countedFor }: Descent, query: number, node: number): void {
  for (let i = offsets[query]; i < offsets[query + 1]; i++) {
    const child = next[i]
    if (child < 0 || parent[child] !== node || countedFor[child] === query) continue
    countedFor[child] = query
    reach[child]++
  }
}

/** The child that most queries at the node could descend to, among those that this one could; -1 if there is none. */
function widestChild({ parent, offsets, next, reach }: Descent, query: number, node: number): number {
  let best = -1
  for (let i = offsets[query]; i < offsets[query + 1]; i++) {
    const child = next[i]
    if (child < 0 || parent[child] !== node || child === best) continue
    if (best < 0 || reach[child] > reach[best] || (reach[child] === reach[best] && child < best)) best = child
  }
  return best
}

/** The child of `node` that is `synset` or an ancestor of it; -1 if `synset` is `node` itself. */
function childAbove(
  { parent }: ConceptTree,
  level: Int32Array,
  { synset, node }: { synset: number; node: number },
): number {
  let at = synset
  while (level[at] > level[node] + 1) at = parent[at]
  return at === node ? -1 : at
}
