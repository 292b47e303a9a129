import { QueryveilError } from "../kernels/error.ts"
import type { TaxonomyColumns } from "./taxonomy.ts"

/** Texts under ids: text i is arena[offsets[i], offsets[i + 1]). */
export interface TextParts {
  arena: Uint8Array
  offsets: Uint32Array
}

/** Nodes in any order. Node 0 is the root. Siblings have different names, and every node leads up to the root. */
export interface TreeDraft {
  parent: Int32Array
  own: Float64Array
  names: TextParts
  texts: TextParts
}

export const maxDepth = 255

/**
 * Numbers the nodes in preorder, siblings in byte order of their names. `order[id]` is the node's number in the draft.
 */
export function assembleTree(draft: TreeDraft): { columns: TaxonomyColumns; order: Int32Array } {
  const size = draft.parent.length
  const children = sortChildren(draft)
  const columns = emptyColumns(draft)
  const { parent, end, depth, support, own } = columns
  const order = new Int32Array(size)
  const idOf = new Int32Array(size)

  let placed = 0
  const stack = new Int32Array(size)
  let height = 1 // the root is on the stack
  while (height > 0) {
    const node = stack[--height]
    const id = placed++
    order[id] = node
    idOf[node] = id
    parent[id] = id === 0 ? -1 : idOf[draft.parent[node]]
    if (id > 0 && depth[parent[id]] === maxDepth) {
      throw new QueryveilError("input-size", `A topic is more than ${maxDepth} levels below the root.`)
    }
    depth[id] = id === 0 ? 0 : depth[parent[id]] + 1
    own[id] = draft.own[node]
    support[id] = own[id]
    end[id] = id + 1
    for (let i = children.offsets[node + 1] - 1; i >= children.offsets[node]; i--) stack[height++] = children.items[i]
  }
  if (placed < size) throw new Error("a node of the draft does not lead up to the root")
  for (let id = size - 1; id > 0; id--) {
    support[parent[id]] += support[id]
    end[parent[id]] = Math.max(end[parent[id]], end[id])
  }
  copyTexts(draft.names, order, { arena: columns.nameArena, offsets: columns.nameOffsets })
  copyTexts(draft.texts, order, { arena: columns.textArena, offsets: columns.textOffsets })
  return { columns, order }
}

/**
 * Maps each node to its children in byte order of their names: a counting sort by parent, then a sort of each family.
 */
function sortChildren({ parent, names }: TreeDraft): { offsets: Int32Array; items: Int32Array } {
  const size = parent.length
  const offsets = new Int32Array(size + 1)
  const items = new Int32Array(size)
  for (let node = 1; node < size; node++) offsets[parent[node] + 1]++
  for (let node = 0; node < size; node++) offsets[node + 1] += offsets[node]
  const next = offsets.slice()
  for (let node = 1; node < size; node++) items[next[parent[node]]++] = node
  const byName = (a: number, b: number) => compareTexts(names, a, b)
  for (let node = 0; node < size; node++)
    if (offsets[node + 1] - offsets[node] > 1) items.subarray(offsets[node], offsets[node + 1]).sort(byName)
  return { offsets, items }
}

function compareTexts({ arena, offsets }: TextParts, a: number, b: number): number {
  const aEnd = offsets[a + 1]
  const bEnd = offsets[b + 1]
  let i = offsets[a]
  let j = offsets[b]
  for (; i < aEnd && j < bEnd; i++, j++) if (arena[i] !== arena[j]) return arena[i] - arena[j]
  return aEnd - i - (bEnd - j)
}

function emptyColumns({ parent, names, texts }: TreeDraft): TaxonomyColumns {
  const size = parent.length
  const shared = (bytes: number) => new SharedArrayBuffer(bytes)
  return {
    parent: new Int32Array(shared(size * 4)),
    end: new Int32Array(shared(size * 4)),
    depth: new Uint8Array(shared(size)),
    support: new Float64Array(shared(size * 8)),
    own: new Float64Array(shared(size * 8)),
    nameArena: new Uint8Array(shared(names.offsets[size])),
    nameOffsets: new Uint32Array(shared((size + 1) * 4)),
    textArena: new Uint8Array(shared(texts.offsets[size])),
    textOffsets: new Uint32Array(shared((size + 1) * 4)),
  }
}

function copyTexts(source: TextParts, order: Int32Array, to: TextParts): void {
  let at = 0
  for (let id = 0; id < order.length; id++) {
    const [from, length] = [source.offsets[order[id]], source.offsets[order[id] + 1] - source.offsets[order[id]]]
    if (length < 64) for (let i = 0; i < length; i++) to.arena[at + i] = source.arena[from + i]
    else to.arena.set(source.arena.subarray(from, from + length), at)
    at += length
    to.offsets[id + 1] = at
  }
}

/** Concatenates texts. */
export function packTexts(texts: readonly string[]): TextParts {
  const arena = Buffer.from(texts.join(""))
  const offsets = new Uint32Array(texts.length + 1)
  for (let i = 0; i < texts.length; i++) offsets[i + 1] = offsets[i] + Buffer.byteLength(texts[i])
  return { arena, offsets }
}
