import { type ReleaseColumn, releaseColumns } from "../column-policy.ts"

/** How a text format writes a row: what stands before each cell, around texts, for nothing, and at the end. */
interface RowFormat {
  header(columns: readonly ReleaseColumn[]): string
  before(column: ReleaseColumn, position: number): string
  quote: string
  empty: string
  end: string
  /** Copies bytes[from, to) to `out` with what the format escapes; returns the position behind. */
  escape(bytes: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number
  /** Most bytes that `escape` makes of one. */
  growth: number
}

const namesOf = (columns: readonly ReleaseColumn[]) => columns.map((column) => releaseColumns[column])

/** The AOL layout: a header, tabs, nothing escaped. No text of a log has a control character. */
const tsv: RowFormat = {
  header: (columns) => `${namesOf(columns).join("\t")}\n`,
  before: (_column, position) => (position === 0 ? "" : "\t"),
  quote: "",
  empty: "",
  end: "\n",
  growth: 1,
  escape(bytes, from, to, out, at) {
    let o = at
    for (let i = from; i < to; i++) out[o++] = bytes[i]
    return o
  },
}

/** RFC 4180, with line feeds; texts and times are always quoted. */
const csv: RowFormat = {
  header: (columns) => `${namesOf(columns).join(",")}\n`,
  before: (_column, position) => (position === 0 ? "" : ","),
  quote: '"',
  empty: "",
  end: "\n",
  growth: 2,
  escape(bytes, from, to, out, at) {
    let o = at
    for (let i = from; i < to; i++) {
      const byte = bytes[i]
      if (byte === 34) out[o++] = 34
      out[o++] = byte
    }
    return o
  },
}

/** One JSON object a line, the same keys in each; what is not shown is null. */
const jsonl: RowFormat = {
  header: () => "",
  before: (column, position) => `${position === 0 ? "{" : ","}"${releaseColumns[column]}":`,
  quote: '"',
  empty: "null",
  end: "}\n",
  growth: 2,
  escape(bytes, from, to, out, at) {
    let o = at
    for (let i = from; i < to; i++) {
      const byte = bytes[i]
      if (byte === 34 || byte === 92) out[o++] = 92
      out[o++] = byte
    }
    return o
  },
}

export const textFormats = { tsv, csv, jsonl }
export type TextFormat = keyof typeof textFormats
