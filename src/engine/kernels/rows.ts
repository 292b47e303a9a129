import { Value } from "#typebox"
import { randomHashSeed } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { rowsOfBlock } from "../../log/formats/block-rows.ts"
import type { JsonObject } from "../../log/formats/json-record.ts"
import type { LinePlan, RejectReason } from "../../log/formats/parsed-block.ts"
import { readBlock } from "../../log/formats/read-block.ts"
import { Unquoter } from "../../log/formats/unquote.ts"
import type { Kernel } from "./kernel.ts"
import { rowsOptions } from "./rows-options.ts"

/**
 * Reads rows of a log with the parser of the single process. A document of the input has a number (`i`) and either the
 * cells of a row (`u`, `q`, `t`, `r`, `l`, `g`; `x: true` if one is not UTF-8), or a line of a file (`s`, or `b` in
 * base64 if it is not UTF-8). The output has the same number and either the row (`u`, `q`, `t` in seconds, and `r`,
 * `l`, `g` if there are any), or the reason why it is not a row (`x`). A blank line gives nothing.
 */
export const rows: Kernel = {
  name: "rows",
  start: async (options) => {
    if (!Value.Check(rowsOptions, options))
      throw new QueryveilError("kernel-input", "The kernel rows got options that it does not know.")
    const reader = { plan: options.plan, seed: randomHashSeed() }
    return { take: (documents) => readDocuments(documents, reader) }
  },
}

interface Reader {
  plan: LinePlan
  seed: number
}

/** Why a document is not a row. `quoted`: its quotes are not closed, so the record goes on in the next line. */
type Reason = RejectReason | "quoted"

function readDocuments(documents: readonly JsonObject[], reader: Reader): object[] {
  const lines: Uint8Array[] = []
  const numbers: number[] = []
  const out: object[] = []
  for (const document of documents) {
    const line = lineOf(document, reader.plan)
    if (typeof line === "string") out.push({ i: document.i, x: line })
    else {
      lines.push(line)
      numbers.push(Number(document.i))
    }
  }
  if (lines.length > 0) out.push(...readLines(lines, numbers, reader))
  return out
}

/** The line that the parser reads for a document, without its line feed, or the reason why there is none. */
function lineOf({ u, q, t, r, l, g, s, b, x }: JsonObject, plan: LinePlan): Uint8Array | Reason {
  if (x === true) return "encoding"
  if (typeof b === "string") return unquoted(Buffer.from(b, "base64"), plan)
  if (typeof s === "string") return unquoted(Buffer.from(s), plan)
  const cells = [u, q, t, r, l, g].map((cell) =>
    typeof cell === "string" ? cell.replace(/[\t\n\r]/g, " ") : typeof cell === "number" ? String(cell) : "",
  )
  return Buffer.from(cells.join("\t"))
}

const lineFeed = 10

/** A line of quoted text as a line without quotes. */
function unquoted(line: Uint8Array, { quotedBy }: LinePlan): Uint8Array | Reason {
  if (quotedBy === undefined) return line
  const whole = new Uint8Array(line.length + 1)
  whole.set(line)
  whole[line.length] = lineFeed
  const { bytes, length } = new Unquoter(quotedBy).convert({ bytes: whole, length: whole.length })
  return length === 0 ? "quoted" : bytes.subarray(0, length - 1)
}

/** Reads lines as one block. The number of each line is in `numbers`. */
function readLines(lines: readonly Uint8Array[], numbers: readonly number[], { plan, seed }: Reader): object[] {
  const { rows, rejects } = rowsOfBlock(readBlock({ ...blockOf(lines), plan, skipLines: 0, seed }))
  return [
    ...rows.map(({ line, user, query, time, rank, url, category }) => {
      return { i: numbers[line - 1], u: user, q: query, t: time, r: rank, l: url, g: category }
    }),
    ...rejects.map(({ line, reason }) => ({ i: numbers[line - 1], x: reason })),
  ]
}

/** Lines as one block, with room for one more byte. */
function blockOf(lines: readonly Uint8Array[]): { bytes: Uint8Array; length: number } {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
  const bytes = new Uint8Array(length + 1)
  let at = 0
  for (const line of lines) {
    bytes.set(line, at)
    at += line.length
    bytes[at++] = lineFeed
  }
  return { bytes, length }
}
