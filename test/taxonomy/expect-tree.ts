import { expect } from "vitest"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"

/**
 * Checks that a taxonomy meets its contract: preorder, ends, depths, supports, siblings in byte order, paths that are
 * found.
 */
export function expectTree(tree: Taxonomy): void {
  const { size, parent, end, depth, support, own } = tree
  const wrong: string[] = []
  const check = (id: number, what: string, holds: boolean) => {
    if (!holds) wrong.push(`${id}: ${what}`)
  }
  const below = new Float64Array(size)
  const last = new Int32Array(size)
  for (let id = size - 1; id >= 0; id--) {
    last[id] = Math.max(last[id] ?? 0, id)
    const above = parent[id] ?? -1
    check(id, "support", Math.abs((support[id] ?? 0) - (own[id] ?? 0) - (below[id] ?? 0)) <= 1e-9 * (support[id] ?? 0))
    check(id, "end", end[id] === (last[id] ?? 0) + 1)
    check(id, "path", tree.find(tree.path(id)) === id)
    if (id === 0) {
      check(id, "root", above === -1 && depth[0] === 0 && tree.path(0) === "" && end[0] === size)
      continue
    }
    check(id, "parent", above >= 0 && above < id && id < (end[above] ?? 0))
    check(id, "depth", depth[id] === (depth[above] ?? 0) + 1)
    check(id, "path below its parent", tree.path(id).startsWith(above === 0 ? "" : `${tree.path(above)}/`))
    below[above] = (below[above] ?? 0) + (support[id] ?? 0)
    last[above] = Math.max(last[above] ?? 0, last[id] ?? 0)
    const next = end[id] ?? size
    if (next < (end[above] ?? 0))
      check(id, "order", Buffer.compare(Buffer.from(nameOf(tree, id)), Buffer.from(nameOf(tree, next))) < 0)
  }
  expect(wrong.slice(0, 10)).toEqual([])
}

const nameOf = (tree: Taxonomy, id: number) => tree.path(id).split("/").at(-1) ?? ""
