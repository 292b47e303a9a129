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
  { text, category }: { text: Int32Array; category: Int32Array },
  { backlog }: { backlog: number },
): OneCellTexts {
  const largest = (column: Int32Array) => column.reduce((most, id) => Math.max(most, id), 0)
  const closed = new Int32Array(largest(category) + 1)
  const cellOf = new Int32Array(largest(text) + 1) // 1 + its number in the category; 0 if none yet
  let last = -1
  return {
    admit(record, place) {
      if (place < 0 || place >= backlog) return true // a full list refuses it
      const cell = closed[category[record]] + place + 1
      if (cellOf[text[record]] === 0) cellOf[text[record]] = cell
      return cellOf[text[record]] === cell
    },
    leave(record, cell) {
      if (cell !== last) closed[category[record]]++
      last = cell
    },
  }
}
