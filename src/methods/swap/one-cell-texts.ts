/** Lets a text leave with one cell only, whoever issues it. */
export interface OneCellTexts {
  /** Whether a record may wait: `place` is how many cells will close before the one it would leave with, -1: it joins a unit. */
  admit(record: number, place: number): boolean
  /** A record left, with this cell of all. */
  leave(record: number, cell: number): void
}

/**
 * Every user who waits takes part in the next cell of the category, with his oldest unit. So it is known beforehand with
 * which cell a unit will leave, and a text is given to the cell of its first unit: others of it may wait as long as they
 * leave with the same one. A text has one category.
 */
export function keepTextsApart(
  { text, category }: { text: Int32Array; category: Int32Array },
  { backlog }: { backlog: number },
): OneCellTexts {
  const largest = (column: Int32Array) => column.reduce((most, id) => Math.max(most, id), 0)
  const closed = new Int32Array(largest(category) + 1)
  const cellOf = new Int32Array(largest(text) + 1) // 1 + its number in the category; 0: none yet
  let last = -1
  return {
    admit(record, place) {
      if (place < 0 || place >= backlog) return true // a list that is full refuses it
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
