import { growInt32 } from "../../swapper/grow.ts"
import type { RecordColumns } from "../../swapper/swapper.ts"

/** Lets a text leave with one cell only, whoever issues it. */
export interface OneCellTexts {
  /**
   * True if a record may wait. `place` is how many cells will close before the one it would leave with; -1 if it would
   * join a unit that waits.
   */
  admit(record: number, place: number): boolean
  /** Notes that a record left with this cell. Cells are numbered over all categories. */
  leave(record: number, cell: number): void
}

/**
 * Every waiting user takes part in the next cell of the category, with their oldest unit. So the cell with which a unit
 * will leave is known in advance. A text is assigned to the cell of its first unit. Other units of the text may wait if
 * they leave with the same cell. A text has one category.
 */
export function keepTextsApart(
  columns: Pick<RecordColumns, "text" | "category">,
  { backlog }: { backlog: number },
): OneCellTexts {
  let closed = new Int32Array(64)
  let cellOf = new Int32Array(64) // 1 + its number in the category; 0 if none yet
  let last = -1
  return {
    admit(record, place) {
      if (place < 0 || place >= backlog) return true // a full list refuses it
      const [text, category] = [columns.text[record], columns.category[record]]
      const cell = (category < closed.length ? closed[category] : 0) + place + 1
      if (text >= cellOf.length) cellOf = growInt32(cellOf, text + 1)
      if (cellOf[text] === 0) cellOf[text] = cell
      return cellOf[text] === cell
    },
    leave(record, cell) {
      const category = columns.category[record]
      if (category >= closed.length) closed = growInt32(closed, category + 1)
      if (cell !== last) closed[category]++
      last = cell
    },
  }
}
