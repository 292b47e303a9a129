import { formulaMark, isFormula } from "./formula-cells.ts"

/** How a text format writes a row: the text before each cell, around texts, for an empty cell, and at the end. */
interface RowFormat {
  header(names: readonly string[]): string
  before(name: string, position: number): string
  quote: string
  empty: string
  end: string
  /**
   * Copies bytes[from, to) to `out` and escapes what the format requires. Returns the position after the last byte
   * written.
   */
  escape(bytes: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number
  /** The most bytes that `escape` makes of one byte. */
  growth: number
}

/** The AOL layout: a header, tabs, no escapes. Texts of a log contain no control characters. */
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

/** RFC 4180, with line feeds. Texts and times are always quoted. */
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

/** One JSON object per line, all with the same keys. A value that is not shown is null. */
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

/** A format with an apostrophe before each cell that a spreadsheet would run, so that none is run. */
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
