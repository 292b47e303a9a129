import { type ColumnFile, encodeColumns, readColumnFile } from "../files/column-file.ts"
import { QueryveilError } from "../kernels/error.ts"
import { isPageIndex, type PageColumns } from "./pages/page-columns.ts"
import type { TaxonomyColumns } from "./taxonomy.ts"

/** Sections of the index of pages; files of trees without pages, and those of 0.1, have none. */
const pagePrefix = "page."

/** Raise the version when the columns or what they mean change. */
const format = { magic: "queryveil taxonomy\n", version: 1 }

/** The chunks of a taxonomy's file: its columns as they are. */
export function encodeTaxonomy({ pages, ...columns }: TaxonomyColumns): Uint8Array[] {
  const index = Object.entries(pages ?? {}).map(([name, column]) => [`${pagePrefix}${name}`, column] as const)
  return encodeColumns({ ...columns, ...Object.fromEntries(index) }, { ...format, facts: {} })
}

/** A taxonomy's columns from a file that `encodeTaxonomy` filled; undefined if it is a file of another kind. */
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

/** Whether the columns are those of one tree in preorder. A file that was put together by hand must not make loops. */
function isSound(columns: TaxonomyColumns): boolean {
  const { parent, end, depth, support, own, nameArena, nameOffsets, textArena, textOffsets } = columns
  const size = parent.length
  if (size === 0 || [end, depth, support, own].some(({ length }) => length !== size)) return false
  if (parent[0] !== -1 || end[0] !== size || depth[0] !== 0) return false
  for (let id = 1; id < size; id++) {
    const above = parent[id]
    if (above < 0 || above >= id || depth[id] !== depth[above] + 1) return false
    // Preorder: the parent is the node before, or the nearest above that which is less deep.
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
