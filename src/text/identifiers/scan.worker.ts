import { type DictionaryParts, dictionaryFrom } from "../../kernels/dictionary.ts"
import { serveShards } from "../../kernels/parallel.ts"
import type { KindSet } from "./kinds.ts"
import { scanQueries } from "./scan-queries.ts"

/** A range of a dictionary's queries. */
export interface ScanShard {
  queries: DictionaryParts
  kinds: KindSet
  from: number
  to: number
}

export function handle({ queries: { arena, offsets }, kinds, from, to }: ScanShard): Uint16Array {
  return scanQueries(dictionaryFrom({ arena, offsets: offsets.subarray(from, to + 1) }), kinds)
}

serveShards(handle)
