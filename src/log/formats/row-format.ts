import { formulaMark, isFormula } from "./formula-cells.ts"

/** How a text format writes a row: what stands before each cell, around texts, for nothing, and at the end. */
interface RowFormat {
  header(names: readonly string[]): string
  before(name: string, position: number): string
  quote: string
  empty: string
  end: string
  /** Copies bytes[from, to) to `out` with what the format escapes; returns the position behind. */
  escape(bytes: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number
  /** Most bytes that `escape` makes of one. */
  growth: number
}

/** The AOL layout: a header, tabs, nothing escaped. No text of a log has a control character. */
const tsv: RowFormat = {
  header: (names) => `${names.join("\t")}\n`,
  before: (_name, position) => (position === 0 ? "" : "\t"),
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
  header: (names) => `${names.join(",")}\n`,
  before: (_name, position) => (position === 0 ? "" : ","),
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
  before: (name, position) => `${position === 0 ? "{" : ","}"${name}":`,
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

/** A format whose cells a spreadsheet does not run: those that it would are written with a leading apostrophe. */
const escaping = (format: RowFormat): RowFormat => ({
  ...format,
  growth: format.growth + 1,
  escape(bytes, from, to, out, at) {
    if (!isFormula(bytes, from, to)) return format.escape(bytes, from, to, out, at)
    out[at] = formulaMark
    return format.escape(bytes, from, to, out, at + 1)
  },
})

export const textFormats = { tsv, csv, jsonl, "tsv-escaped": escaping(tsv), "csv-escaped": escaping(csv) }
export type TextFormat = keyof typeof textFormats
