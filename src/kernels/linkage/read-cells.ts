import { CellUsers } from "./cell-users.ts"
import { countIds, forEachCategory, type LinkageOptions, type ReleasedStream } from "./released-stream.ts"

/**
 * Uses times and order when records leave in cells. A cell is a run of k + 1 distinct users shown, each with one unit.
 * A unit is records in a row with one user and one text.
 *
 * A cell closes when its last member arrives. So the latest own time seen in the category up to a cell is the time when
 * that cell closed. Every user who waits at a closing takes part in it. A unit that came before the last d closings is
 * therefore from a user who is shown in each of those d cells and in the unit's own. One of these users is named; if
 * there is only one, the name is surely right. A unit that came after the last closing (d = 0) is given to a user shown
 * in this cell and not in the one before. Each choice is random and never the user shown. If it leaves nobody, any user
 * of the cell is named.
 *
 * If times never fall along a category, they are those of the closings. Then a new time begins a new cell, the age of a
 * unit is unknown, and a random user of the cell is named. O(log k + log cells) per record.
 */
export function linkByCells(stream: ReleasedStream, { k, random }: LinkageOptions): Int32Array {
  const { user, text, time } = stream
  const named = new Int32Array(user.length).fill(-1)
  const cell = new CellUsers({ users: countIds(user), random })
  /** Enters the users of the cell that begins at `start`, and returns where it ends. */
  const enterCell = (records: Uint32Array, start: number, isShared: boolean) => {
    let end = start
    cell.open()
    for (; end < records.length; end++) {
      const record = records[end]
      const before = end === start ? -1 : records[end - 1]
      if (before >= 0 && isShared && time[record] !== time[before]) break
      const sameUnit = before >= 0 && user[record] === user[before] && text[record] === text[before]
      if (!sameUnit && (cell.size > k || cell.has(user[record]))) break
      if (!sameUnit) cell.enter(user[record])
    }
    return end
  }
  forEachCategory(stream, (records) => {
    const isShared = neverFalls(time, records)
    const closings: number[] = []
    cell.restart()
    for (let start = 0; start < records.length; ) {
      const end = enterCell(records, start, isShared)
      cell.rank()
      let latest = closings.at(-1) ?? Number.NEGATIVE_INFINITY
      for (let first = start; first < end; ) {
        const shown = user[records[first]]
        let last = first
        let oldest = time[records[first]]
        for (; last < end && user[records[last]] === shown; last++) {
          oldest = Math.min(oldest, time[records[last]])
          latest = Math.max(latest, time[records[last]])
        }
        const waited = closings.length - countUpTo(closings, oldest)
        const choice = nameFor(cell, shown, isShared ? undefined : waited)
        for (let i = first; i < last; i++) named[records[i]] = choice
        first = last
      }
      closings.push(latest)
      start = end
    }
  })
  return named
}

function neverFalls(time: Int32Array, records: Uint32Array): boolean {
  for (let i = 1; i < records.length; i++) if (time[records[i]] < time[records[i - 1]]) return false
  return true
}

/** The number of ascending values that are at most `value`. */
function countUpTo(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle] <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Names anyone of the cell if the age of the unit is unknown or nobody fits it. */
function nameFor(cell: CellUsers, shown: number, waited: number | undefined): number {
  const found = waited === undefined ? -1 : cell.nameWaiting(shown, { waited })
  return found >= 0 ? found : cell.nameAnyone(shown)
}
