import { type ColumnFile, encodeColumns, readColumnFile } from "../files/column-file.ts"
import { QueryveilError } from "../kernels/error.ts"
import { isPageIndex, type PageColumns } from "./pages/page-columns.ts"
import type { TaxonomyColumns } from "./taxonomy.ts"

/** Prefix of the sections of the page index. Files of trees without pages, and files of 0.1, have none. */
const pagePrefix = "page."

/** Raise the version when the columns or their meaning change. */
const format = { magic: "queryveil taxonomy\n", version: 1 }

/** The chunks of a taxonomy's file: its columns, unchanged. */
export function encodeTaxonomy({ pages, ...columns }: TaxonomyColumns): Uint8Array[] {
  const index = Object.entries(pages ?? {}).map(([name, column]) => [`${pagePrefix}${name}`, column] as const)
  return encodeColumns({ ...columns, ...Object.fromEntries(index) }, { ...format, facts: {} })
}

/** Reads the columns of a taxonomy that `encodeTaxonomy` wrote. Undefined if the file is of another kind. */
export async function readTaxonomyFile(path: string): Promise<TaxonomyColumns | undefined> {
  return readColumnFile(path, format, {
    broken: (what) => broken(path, what),
    view: (file) => {
      const columns = viewColumns(file)
      if (!isSound(columns)) throw broken(path, "is damaged")
      return columns
    },
  })
}

function viewColumns({ take }: ColumnFile): TaxonomyColumns {
  const pages = viewPages(take)
  return {
    parent: new Int32Array(take("parent")),
    end: new Int32Array(take("end")),
    depth: new Uint8Array(take("depth")),
    support: new Float64Array(take("support")),
    own: new Float64Array(take("own")),
    nameArena: new Uint8Array(take("nameArena")),
    nameOffsets: new Uint32Array(take("nameOffsets")),
    textArena: new Uint8Array(take("textArena")),
    textOffsets: new Uint32Array(take("textOffsets")),
    ...(pages !== undefined && { pages }),
  }
}

function viewPages(take: ColumnFile["take"]): PageColumns | undefined {
  const pages = {
    topic: new Int32Array(take(`${pagePrefix}topic`)),
    wordArena: new Uint8Array(take(`${pagePrefix}wordArena`)),
    wordOffsets: new Uint32Array(take(`${pagePrefix}wordOffsets`)),
    postingOffsets: new Uint32Array(take(`${pagePrefix}postingOffsets`)),
    postings: new Uint32Array(take(`${pagePrefix}postings`)),
  }
  return Object.values(pages).every(({ length }) => length === 0) ? undefined : pages
}

/** True if the columns form one tree in preorder. A file made by hand must not cause endless loops. */
function isSound(columns: TaxonomyColumns): boolean {
  const { parent, end, depth, support, own, nameArena, nameOffsets, textArena, textOffsets } = columns
  const size = parent.length
  if (size === 0 || [end, depth, support, own].some(({ length }) => length !== size)) return false
  if (parent[0] !== -1 || end[0] !== size || depth[0] !== 0) return false
  for (let id = 1; id < size; id++) {
    const above = parent[id]
    if (above < 0 || above >= id || depth[id] !== depth[above] + 1) return false
    // Preorder: the parent is the previous node, or its nearest ancestor that is less deep than this node.
    let at = id - 1
    while (depth[at] >= depth[id]) at = parent[at]
    if (at !== above || nameOffsets[id] === nameOffsets[id + 1]) return false
    if (!(own[id] >= 0) || !(support[id] >= own[id])) return false
  }
  const ends = new Int32Array(size)
  for (let id = size - 1; id >= 0; id--) {
    ends[id] = Math.max(ends[id], id + 1)
    if (end[id] !== ends[id]) return false
    if (id > 0) ends[parent[id]] = Math.max(ends[parent[id]], ends[id])
  }
  if (columns.pages !== undefined && !isPageIndex(columns.pages, size)) return false
  return fits(nameOffsets, nameArena, size) && fits(textOffsets, textArena, size)
}

function fits(offsets: Uint32Array, arena: Uint8Array, size: number): boolean {
  if (offsets.length !== size + 1 || offsets[0] !== 0 || offsets[size] !== arena.length) return false
  for (let i = 0; i < size; i++) if (offsets[i] > offsets[i + 1]) return false
  return true
}

function broken(path: string, what: string): QueryveilError {
  return new QueryveilError("taxonomy-broken", `${path}: ${what}. Make it again with queryveil taxonomy import.`, {
    file: path,
  })
}
