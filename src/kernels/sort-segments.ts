/** Columns that share one row order. */
export type Column = Int32Array | Uint32Array | Uint16Array

/** Counting sort: a stable order of the rows by `key`, whose values are in [0, size). */
export function orderByKey(key: Int32Array, size: number): Uint32Array {
  const starts = new Uint32Array(size + 1)
  for (let i = 0; i < key.length; i++) starts[key[i] + 1]++
  for (let k = 0; k < size; k++) starts[k + 1] += starts[k]
  const order = new Uint32Array(key.length)
  for (let i = 0; i < key.length; i++) order[starts[key[i]]++] = i
  return order
}

/** Rearranges `column` so that its new row i is its old row order[i]. */
export function gather(column: Column, order: Uint32Array): void {
  const old = column.slice()
  for (let i = 0; i < order.length; i++) column[i] = old[order[i]]
}

/** The same for the rows from `start` on; the others stay. */
function gatherRun(column: Column, order: Uint32Array, start: number): void {
  const old = column.slice(start, start + order.length)
  for (let i = 0; i < order.length; i++) column[start + i] = old[order[i] - start]
}

/**
 * Sorts the rows within each run of equal `key` by the columns `by`, first to last. The columns `along` move with them.
 * Logs are mostly in this order already, except for the clicks of one search. So a run is sorted by insertion, and only
 * a run that needs more than a few exchanges per row is sorted from scratch.
 */
export function sortWithinRuns(key: Int32Array, by: readonly Column[], along: readonly Column[]): void {
  const [leading] = by
  const moved = [...by, ...along]
  const compare = (a: number, b: number) => {
    for (const column of by) if (column[a] !== column[b]) return column[a] - column[b]
    return a - b
  }
  for (let start = 0; start < key.length; ) {
    let end = start + 1
    while (end < key.length && key[end] === key[start]) end++
    let exchanges = 4 * (end - start)
    for (let i = start + 1; i < end && exchanges > 0; i++) {
      if (leading[i - 1] < leading[i]) continue
      for (let j = i; j > start && exchanges > 0 && compare(j - 1, j) > 0; j--, exchanges--) {
        for (const column of moved) {
          const held = column[j]
          column[j] = column[j - 1]
          column[j - 1] = held
        }
      }
    }
    if (exchanges === 0) {
      const order = Uint32Array.from({ length: end - start }, (_, i) => start + i).sort(compare)
      for (const column of moved) gatherRun(column, order, start)
    }
    start = end
  }
}
