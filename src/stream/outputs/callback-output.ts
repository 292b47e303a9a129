import type { StreamOutput } from "../live/transport.ts"

/** A record that left a stream. Columns that the options drop are absent. */
export interface ReleasedRecord {
  /** Number of the release, from 0. After a crash some releases are reported again, under their old numbers. */
  seq: number
  user?: string
  query: string
  time?: string
  rank?: number
  url?: string
  /** The topic within which users were swapped. */
  category?: string
}

/** An output that calls a function for each record that leaves. Requires the format `jsonl`. */
export function callbackOutput(tell: (record: ReleasedRecord) => void): StreamOutput {
  return {
    exact: false,
    async open() {},
    async write(bytes, { ends }) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      for (const [i, end] of ends.entries()) tell(JSON.parse(text.toString("utf8", ends[i - 1] ?? 0, end)))
    },
    async settle() {},
    async close() {},
  }
}
