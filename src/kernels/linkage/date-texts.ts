import { orderByKey } from "../sort-segments.ts"
import { CellUsers } from "./cell-users.ts"
import { countIds, type LinkageOptions, type ReleasedStream } from "./released-stream.ts"
import { findTimeRuns, type TimeRuns } from "./time-runs.ts"

/** A text that left fewer times than this is not dated. */
const fewest = 5

/**
 * Dates texts by when they left. A user who searches much has a long list, so their searches leave late. The searches
 * of others leave with one of the next cells. So if a text left often within a short while, and once more long after,
 * the late one waited, and its user was there at every closing since.
 *
 * Cells are the runs of one time in a category, numbered in their order. A unit is records in a row with one user and
 * one text. Let q₁ and q₃ be the quartiles of the cells that a text left with. A unit is out of date if its cell is far
 * out by Tukey's rule: more than 3 · max(1, q₃ − q₁) cells after q₃.
 *
 * Names a random user, other than the one shown, who is shown in each cell from q₃ to the unit's own. Names nobody if
 * there is no such user, or if the text is not out of date. O(1) per record, and O(n log n) to rank the n users of a
 * cell with such a unit.
 */
export function linkByDate(stream: ReleasedStream, { random }: Pick<LinkageOptions, "random">): Int32Array {
  const { user } = stream
  const named = new Int32Array(user.length).fill(-1)
  const runs = findTimeRuns(stream)
  const { order, starts, isUnit, categories } = runs
  const late = findLate(stream, runs)
  const cell = new CellUsers({ users: countIds(user), random })
  const nameLate = (start: number, end: number) => {
    let isRanked = false
    for (let p = start; p < end; p++) {
      if (late[p] === 0) continue
      if (!isRanked) cell.rank()
      isRanked = true
      const record = order[p]
      named[record] = isUnit[p] === 1 ? cell.nameWaiting(user[record], { waited: late[p] }) : named[order[p - 1]]
    }
  }
  for (let category = 0; category + 1 < categories.length; category++) {
    const [firstRun, endRun] = [categories[category], categories[category + 1]]
    if (late.subarray(starts[firstRun], starts[endRun]).every((cells) => cells === 0)) continue
    cell.restart()
    for (let run = firstRun; run < endRun; run++) {
      const [start, end] = [starts[run], starts[run + 1]]
      cell.open()
      for (let p = start; p < end; p++) if (!cell.has(user[order[p]])) cell.enter(user[order[p]])
      nameLate(start, end)
    }
  }
  return named
}

/** By position: how many cells after q₃ of its text it left, if the unit is out of date; otherwise 0. */
function findLate(stream: ReleasedStream, { order, starts, isUnit }: TimeRuns): Int32Array {
  const late = new Int32Array(order.length)
  const cell = new Int32Array(order.length)
  for (let run = 0; run + 1 < starts.length; run++) cell.fill(run, starts[run], starts[run + 1])
  const frequent = findFrequent(stream, order)
  const text = new Int32Array(frequent.length)
  for (let i = 0; i < frequent.length; i++) text[i] = stream.text[order[frequent[i]]]
  const places = orderByKey(text, countIds(text))
  const units: number[] = [] // of one text in one category: the cell of each unit
  for (let first = 0; first < places.length; ) {
    const own = stream.category[order[frequent[places[first]]]]
    let end = first
    units.length = 0
    for (; end < places.length && text[places[end]] === text[places[first]]; end++) {
      const p = frequent[places[end]]
      if (stream.category[order[p]] !== own) break
      if (isUnit[p] === 1) units.push(cell[p])
    }
    if (units.length >= fewest) {
      const q1 = units[Math.floor((units.length - 1) / 4)]
      const q3 = units[Math.floor(((units.length - 1) * 3) / 4)]
      const fence = q3 + 3 * Math.max(1, q3 - q1)
      for (let i = first; i < end; i++) {
        const p = frequent[places[i]]
        if (cell[p] > fence) late[p] = cell[p] - q3
      }
    }
    first = end
  }
  return late
}

/** The positions, ascending, of texts with enough records. In most logs these are a small part. */
function findFrequent({ text }: ReleasedStream, order: Uint32Array): Uint32Array {
  const count = new Int32Array(countIds(text))
  for (let i = 0; i < text.length; i++) count[text[i]]++
  const found = new Uint32Array(order.length)
  let size = 0
  for (let p = 0; p < order.length; p++) if (count[text[order[p]]] >= fewest) found[size++] = p
  return found.subarray(0, size)
}
