import { createHash } from "node:crypto"
import type { SynthChunk } from "../synth/synthesise.ts"

/** Identifies the query in a line of a log without its text. */
export interface LineDigest {
  line: number
  digest: string
}

const [tab, lineFeed] = [9, 10]
const every = 64

/** The digest of a normalised query. */
export const digestQuery = (text: Uint8Array) => createHash("sha256").update(text).digest("hex").slice(0, 16)

/**
 * Notes the queries of some lines while a synthetic log is written: every 64th row of the first shard, and the first
 * row of each later shard. So a small log is covered throughout, and so is a large one, without a search for lines.
 */
export function createLineDigests(): (chunk: Pick<SynthChunk, "bytes" | "rows">) => LineDigest[] {
  let line = 2 // the line after the header
  return ({ bytes, rows }) => {
    const noted: LineDigest[] = []
    const isFirst = line === 2
    for (let row = 0, at = 0; row < rows && (isFirst || row === 0); row++) {
      if (row % every === 0) noted.push({ line: line + row, digest: digestQuery(queryAt(bytes, at)) })
      at = bytes.indexOf(lineFeed, at) + 1
    }
    line += rows
    return noted
  }
}

/** The second column of the row that begins here. */
function queryAt(bytes: Uint8Array, at: number): Uint8Array {
  const from = bytes.indexOf(tab, at) + 1
  return bytes.subarray(from, bytes.indexOf(tab, from))
}
