import type { StreamOutput } from "./transport.ts"

/** A record that left a stream. Of what the options drop there is nothing. */
export interface ReleasedRecord {
  /** Counts what left, from 0: after a crash some are told again, under their old numbers. */
  seq: number
  user?: string
  query: string
  time?: string
  rank?: number
  url?: string
  /** The topic within which users were swapped. */
  category?: string
}

/** An output that tells a program of each record that leaves. Goes with the format `jsonl`. */
export function tellReleases(tell: (record: ReleasedRecord) => void): StreamOutput {
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
