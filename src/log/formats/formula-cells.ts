/** First bytes that make a spreadsheet run a cell, or that hide such a cell: = + - @ tab CR " and the mark itself. */
const starts = new Set(Buffer.from("=+-@\t\r\"'"))
/** The last bytes of ＝ ＋ － ＠, which some spreadsheets read as the narrow forms. All four begin with EF BC. */
const wideEnds = new Set(["＝", "＋", "－", "＠"].map((text) => Buffer.from(text)[2]))

/** The byte before an escaped cell, an apostrophe. Spreadsheets read what follows it as text. */
export const formulaMark = 39

/**
 * True if the cell bytes[from, to) needs an escape: a spreadsheet would run it as a formula, or it begins with the
 * mark. So removing one mark always restores the cell. A cell in quotes counts too, because in TSV a spreadsheet
 * removes them.
 */
export function isFormula(bytes: Uint8Array, from: number, to: number): boolean {
  if (to <= from) return false
  if (starts.has(bytes[from])) return true
  return to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbc && wideEnds.has(bytes[from + 2])
}
