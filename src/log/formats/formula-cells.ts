/** Bytes that a cell may begin with and be run by a spreadsheet, or that hide such a cell: = + - @ tab CR " and the mark itself. */
const starts = new Set(Buffer.from("=+-@\t\r\"'"))
/** The last bytes of ＝ ＋ － ＠, which some spreadsheets take for their narrow forms. All begin with EF BC. */
const wideEnds = new Set(["＝", "＋", "－", "＠"].map((text) => Buffer.from(text)[2]))

/** What stands before an escaped cell: spreadsheets take what follows an apostrophe for text. */
export const formulaMark = 39

/**
 * True if the cell bytes[from, to) is escaped: a spreadsheet would run it as a formula, or it begins with the mark, so that
 * taking one mark away always gives back the cell. A cell in quotes counts too: in TSV a spreadsheet takes them off.
 */
export function isFormula(bytes: Uint8Array, from: number, to: number): boolean {
  if (to <= from) return false
  if (starts.has(bytes[from])) return true
  return to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbc && wideEnds.has(bytes[from + 2])
}
