/**
 * Distinct users of each value of a column, over all rows or those in `rows` (ascending). Rows must be grouped by user,
 * as in a search log. Then a value's count rises only when its last user changes. A value of -1 is skipped.
 */
export function countDistinctUsers(
  column: Int32Array,
  user: Int32Array,
  options: { size: number; rows?: Uint32Array },
): Uint32Array {
  const { size, rows } = options
  // The last user of a value and its count are next to each other, so that they wait for memory together.
  const lastAndCount = new Int32Array(size * 2)
  for (let value = 0; value < size; value++) lastAndCount[value * 2] = -1
  const length = rows === undefined ? column.length : rows.length
  for (let i = 0; i < length; i++) {
    const row = rows === undefined ? i : rows[i]
    const value = column[row]
    if (value >= 0 && lastAndCount[value * 2] !== user[row]) {
      lastAndCount[value * 2] = user[row]
      lastAndCount[value * 2 + 1]++
    }
  }
  const counts = new Uint32Array(size)
  for (let value = 0; value < size; value++) counts[value] = lastAndCount[value * 2 + 1]
  return counts
}

/** Sets of users: those of set s are users[offsets[s], offsets[s + 1]), each once. */
export interface UserSets {
  offsets: Uint32Array
  users: Int32Array
}

/** The distinct users of each value of a column, as `countDistinctUsers` counts them, in the order of the rows. */
export function collectDistinctUsers(column: Int32Array, user: Int32Array, options: { size: number }): UserSets {
  const { size } = options
  const counts = countDistinctUsers(column, user, { size })
  const offsets = new Uint32Array(size + 1)
  for (let value = 0; value < size; value++) offsets[value + 1] = offsets[value] + counts[value]
  const users = new Int32Array(offsets[size])
  const next = offsets.slice(0, size)
  const last = new Int32Array(size).fill(-1)
  for (let row = 0; row < column.length; row++) {
    const value = column[row]
    if (value < 0 || last[value] === user[row]) continue
    last[value] = user[row]
    users[next[value]++] = user[row]
  }
  return { offsets, users }
}
