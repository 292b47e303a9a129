import type { ConceptTree } from "./concept-tree.ts"

/** By query, the synsets of its terms: those of query q are synsets[offsets[q], offsets[q + 1]). */
export interface QueryTerms {
  offsets: Uint32Array
  synsets: Int32Array
}

/**
 * Puts each query at one of its terms, as Carpineto & Romano 2015, §4.4.1, group queries: two go together if each has a term
 * below the same concept. From the root, a query goes on to the child that most of the queries at its place could go on to,
 * of equals that of the lower number, until none of its terms is deeper. A query without terms stays at the root.
 */
export function placeByTerms(tree: ConceptTree, { offsets, synsets }: QueryTerms): Int32Array {
  const { root, parent, order } = tree
  const level = new Int32Array(parent.length)
  for (const node of order) if (node !== root) level[node] = level[parent[node]] + 1
  const home = new Int32Array(offsets.length - 1).fill(root)
  const waiting = new Map<number, number[]>([[root, [...home.keys()]]])
  const reach = new Int32Array(parent.length) // queries that could go on to a child
  const countedFor = new Int32Array(parent.length).fill(-1)
  // The child of a node that is at or above each term, by the term's place; -1 where there is none.
  const next = Int32Array.from(synsets, (synset) => childAbove(tree, level, { synset, node: root }))
  for (const node of order) {
    const queries = waiting.get(node)
    if (queries === undefined) continue
    waiting.delete(node)
    for (const query of queries) {
      for (let i = offsets[query]; i < offsets[query + 1]; i++) {
        const child = next[i]
        if (child < 0 || parent[child] !== node || countedFor[child] === query) continue
        countedFor[child] = query
        reach[child]++
      }
    }
    for (const query of queries) {
      let best = -1
      for (let i = offsets[query]; i < offsets[query + 1]; i++) {
        const child = next[i]
        if (child < 0 || parent[child] !== node || child === best) continue
        if (best < 0 || reach[child] > reach[best] || (reach[child] === reach[best] && child < best)) best = child
      }
      home[query] = node
      if (best < 0) continue
      for (let i = offsets[query]; i < offsets[query + 1]; i++) {
        next[i] = next[i] === best ? childAbove(tree, level, { synset: synsets[i], node: best }) : -1
      }
      const list = waiting.get(best)
      if (list === undefined) waiting.set(best, [query])
      else list.push(query)
      home[query] = best
    }
  }
  return home
}

/** The child of a node that is a synset of its subtree, or above it; -1 for the node itself. */
function childAbove(
  { parent }: ConceptTree,
  level: Int32Array,
  { synset, node }: { synset: number; node: number },
): number {
  let at = synset
  while (level[at] > level[node] + 1) at = parent[at]
  return at === node ? -1 : at
}
