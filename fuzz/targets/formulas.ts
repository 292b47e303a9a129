import { formulaMark, isFormula } from "#dist/log/formats/formula-cells.js"
import { unescapeFormulas } from "#dist/release/unescape-formulas.js"
import { ensure, type FuzzTarget } from "../target.ts"

/** The columns of the lines: a text, and a number, which is never escaped. */
const escaped = [true, false]

/** Cells of a release that are escaped for spreadsheets: what is read must be what would be written. */
export const target: FuzzTarget = {
  covers: ["release/unescape-formulas", "log/formats/formula-cells"],
  words: ["'", "=", "\t", "\n", "＝", "-5"],
  seeds: () => ["query\tusers\n'=1+1\t5\n''\t-3\nlamp\t1\n", "'＠a\t2\n"],
  check: async (input) => {
    async function* blocks() {
      const bytes = new Uint8Array(input.length + 1)
      bytes.set(input)
      yield { bytes, length: input.length }
    }
    const read: Uint8Array[] = []
    for await (const { bytes, length } of unescapeFormulas(blocks(), { path: "table", escaped }))
      read.push(bytes.slice(0, length))
    ensure(Buffer.from(escapeAgain(Buffer.concat(read))).equals(input), "what was read is written as it was")
  },
}

/** The cells of a text column, with the mark before those that need one. */
function escapeAgain(text: Buffer): number[] {
  const out: number[] = []
  let column = 0
  for (let at = 0; at < text.length; ) {
    let end = at
    while (end < text.length && text[end] !== 9 && text[end] !== 10) end++
    if ((escaped[column] ?? true) && isFormula(text, at, end)) out.push(formulaMark)
    column = text[end] === 9 ? column + 1 : 0
    out.push(...text.subarray(at, end + 1))
    at = end + 1
  }
  return out
}
