import { hashBytes, mixHash, randomHashSeed } from "../kernels/dictionary.ts"
import type { PageColumns } from "./pages/page-columns.ts"
import { unescapeName } from "./path.ts"

/**
 * A rooted tree of topics. Nodes are numbered in preorder from the root, 0. The subtree of a node is [id, end[id]).
 * Siblings are in byte order of their names. The arrays are shared: do not write to them.
 */
export interface Taxonomy {
  readonly size: number
  /** -1 for the root. */
  readonly parent: Int32Array
  readonly end: Int32Array
  /** 0 for the root. */
  readonly depth: Uint8Array
  /** Support of the whole subtree: support[t] = own[t] + the supports of t's children. Shou et al. 2014, eq. 1. */
  readonly support: Float64Array
  /** Support of the topic itself. */
  readonly own: Float64Array
  /** Names from below the root, separated by `/`. The root's path is empty. */
  path(id: number): string
  /** The node of exactly this path, or -1. */
  find(path: string): number
  /** The last name of the path, without escapes; empty for the root. */
  name(id: number): string
  /** The text that describes a topic. Empty if there is none. */
  text(id: number): string
  /** The taxonomy as data, for other threads and for files. `taxonomyFrom` makes the same taxonomy from it. */
  readonly columns: TaxonomyColumns
}

/** A whole taxonomy as data. Name i is nameArena[nameOffsets[i], nameOffsets[i + 1]), escaped. Texts likewise. */
export interface TaxonomyColumns {
  parent: Int32Array
  end: Int32Array
  depth: Uint8Array
  support: Float64Array
  own: Float64Array
  nameArena: Uint8Array
  nameOffsets: Uint32Array
  textArena: Uint8Array
  textOffsets: Uint32Array
  /** The index of the topics' pages, if the taxonomy has any. Dumps of ODP and Curlie do. */
  pages?: PageColumns
}

const slash = 47

/** The taxonomy with these columns. */
export function taxonomyFrom(columns: TaxonomyColumns): Taxonomy {
  const { parent, end, depth, support, own, nameOffsets, textOffsets } = columns
  const names = bufferOf(columns.nameArena)
  const texts = bufferOf(columns.textArena)
  const segment = (id: number) => names.toString("utf8", nameOffsets[id], nameOffsets[id + 1])
  const childOf = indexChildren(columns)
  return {
    size: parent.length,
    parent,
    end,
    depth,
    support,
    own,
    columns,
    path: (id) => {
      const parts: string[] = []
      for (let at = id; at > 0; at = parent[at]) parts.push(segment(at))
      return parts.reverse().join("/")
    },
    find: (path) => {
      if (path === "") return 0
      const bytes = Buffer.from(path)
      let at = 0
      for (let from = 0; at >= 0 && from <= bytes.length; ) {
        const found = bytes.indexOf(slash, from)
        const to = found < 0 ? bytes.length : found
        at = childOf(at, bytes.subarray(from, to))
        from = to + 1
      }
      return at
    },
    name: (id) => unescapeName(segment(id)),
    text: (id) => texts.toString("utf8", textOffsets[id], textOffsets[id + 1]),
  }
}

/** Children of a node, in order. */
export function* childrenOf({ end }: Pick<Taxonomy, "end">, id: number): Generator<number> {
  for (let child = id + 1; child < end[id]; child = end[child]) yield child
}

/** Finds a child by its name, in a table by (parent, name) that the first look-up builds. */
function indexChildren({ parent, nameArena, nameOffsets }: TaxonomyColumns): (id: number, name: Uint8Array) => number {
  let table: Int32Array | undefined
  const seed = randomHashSeed()
  const mask = 2 ** Math.ceil(Math.log2(parent.length * 2 + 2)) - 1
  const slotOf = (above: number, bytes: Uint8Array, from: number, to: number) =>
    mixHash(hashBytes(bytes, from, to, seed) ^ Math.imul(above + 1, 0x9e3779b1)) & mask
  const build = () => {
    const built = new Int32Array(mask + 1)
    for (let id = 1; id < parent.length; id++) {
      let slot = slotOf(parent[id], nameArena, nameOffsets[id], nameOffsets[id + 1])
      while (built[slot] !== 0) slot = (slot + 1) & mask
      built[slot] = id
    }
    return built
  }
  const isNamed = (id: number, name: Uint8Array) => {
    const from = nameOffsets[id]
    if (nameOffsets[id + 1] - from !== name.length) return false
    for (let i = 0; i < name.length; i++) if (nameArena[from + i] !== name[i]) return false
    return true
  }
  return (above, name) => {
    table ??= build()
    let slot = slotOf(above, name, 0, name.length)
    for (; table[slot] !== 0; slot = (slot + 1) & mask)
      if (parent[table[slot]] === above && isNamed(table[slot], name)) return table[slot]
    return -1
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
