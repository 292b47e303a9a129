/**
 * Distinct users of each value of a column, over all rows or those in `rows` (ascending). The rows must be grouped by
 * user, as a search log is: then a value's count rises only when its last user changes. A value of -1 is passed over.
 */
export function countDistinctUsers(
  column: Int32Array,
  user: Int32Array,
  options: { size: number; rows?: Uint32Array },
): Uint32Array {
  const { size, rows } = options
  const counts = new Uint32Array(size)
  const last = new Int32Array(size).fill(-1)
  const length = rows === undefined ? column.length : rows.length
  for (let i = 0; i < length; i++) {
    const row = rows === undefined ? i : rows[i]
    const value = column[row]
    if (value >= 0 && last[value] !== user[row]) {
      last[value] = user[row]
      counts[value]++
    }
  }
  return counts
}
