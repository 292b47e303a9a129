import { type ColumnFile, encodeColumns, readColumnFile } from "../../files/column-file.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { taxonomyFingerprint } from "../fingerprint.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { LexiconColumns } from "./lexicon.ts"

/** Raise the version when the columns or their meaning change. */
const format = { magic: "queryveil lexicon\n", version: 1 }

/** The chunks of a lexicon's file, bound to its taxonomy. */
export function encodeLexicon(columns: LexiconColumns, taxonomy: Taxonomy): Uint8Array[] {
  return encodeColumns({ ...columns }, { ...format, facts: { taxonomy: taxonomyFingerprint(taxonomy) } })
}

/** Reads a lexicon that `encodeLexicon` wrote for this taxonomy. Undefined if the file is of another kind. */
export async function readLexiconFile(path: string, taxonomy: Taxonomy): Promise<LexiconColumns | undefined> {
  return readColumnFile(path, format, {
    broken: (what) => broken(path, what),
    view: (file) => {
      if (!isMadeFor(file.facts, taxonomyFingerprint(taxonomy)))
        throw broken(path, "was learned with another taxonomy; give that one with --taxonomy, or learn again")
      const columns = viewColumns(file)
      if (!isSound(columns, taxonomy.size)) throw broken(path, "is damaged")
      return columns
    },
  })
}

function isMadeFor(facts: unknown, fingerprint: string): boolean {
  return typeof facts === "object" && facts !== null && "taxonomy" in facts && facts.taxonomy === fingerprint
}

function viewColumns({ take }: ColumnFile): LexiconColumns {
  return {
    wordArena: new Uint8Array(take("wordArena")),
    wordOffsets: new Uint32Array(take("wordOffsets")),
    offsets: new Uint32Array(take("offsets")),
    nodes: new Int32Array(take("nodes")),
    shares: new Float32Array(take("shares")),
    topics: new Int32Array(take("topics")),
    shareOfAll: new Float32Array(take("shareOfAll")),
  }
}

/** True if the columns fit each other and the taxonomy. */
function isSound(columns: LexiconColumns, size: number): boolean {
  const { wordArena, wordOffsets, offsets, nodes, shares, topics, shareOfAll } = columns
  const isNode = (node: number) => node > 0 && node < size
  const isShare = (share: number) => share >= 0 && share <= 1
  return (
    wordOffsets.length === offsets.length &&
    shares.length === nodes.length &&
    shareOfAll.length === topics.length &&
    ascends(wordOffsets, wordArena.length) &&
    ascends(offsets, nodes.length) &&
    nodes.every(isNode) &&
    topics.every(isNode) &&
    shares.every(isShare) &&
    shareOfAll.every(isShare)
  )
}

function ascends(offsets: Uint32Array, end: number): boolean {
  if (offsets.length === 0 || offsets[0] !== 0 || offsets[offsets.length - 1] !== end) return false
  for (let i = 1; i < offsets.length; i++) if (offsets[i] < offsets[i - 1]) return false
  return true
}

function broken(path: string, what: string): QueryveilError {
  return new QueryveilError("classifier-broken", `${path}: ${what}. Make it again with queryveil classify train.`, {
    file: path,
  })
}
