import { shuffleFirst } from "../kernels/random.ts"
import { drawDerangement } from "./derange.ts"
import { growInt32 } from "./grow.ts"
import { RecordTable } from "./record-table.ts"
import type { RecordColumns, Swapper, SwapperOptions } from "./swapper.ts"

/**
 * The strict swapper. In each category every user has a list of waiting units; a unit is a text that the user issued, once
 * or again while it waited. As soon as k + 1 users wait, a cell closes: one unit of each of k + 1 users, those with the
 * longest lists first and ties at random, the oldest of each. Its users are dealt out by a uniform derangement, and its
 * units leave in random order. Why the chance of naming the right user is 1/k: docs/methods/swap.md.
 *
 * A unit is known by its first record, a list by a number that is used again. Lists are rings of units, known by their
 * youngest; the lists of a category hang together in a chain that is walked only when a cell closes.
 */
export function createCellSwapper(columns: RecordColumns, options: SwapperOptions): Swapper {
  const { random, sink, backlog, mostRepeats = Number.POSITIVE_INFINITY } = options
  let { k } = options
  let cells = 0
  let waiting = 0
  // By record.
  let nextUnit = new Int32Array(64) // of the ring
  let nextRepeat = new Int32Array(64) // of the unit, -1 at its end
  let repeats = new Int32Array(64) // of the unit, by its first record
  // By list.
  let youngest = new Int32Array(64)
  let length = new Int32Array(64) // units; negative once the list was longer than one: its units are in `units`
  let nextList = new Int32Array(64) // of the category, or of those that are free
  let lists = 0
  let freeList = -1
  // By category.
  let firstList = new Int32Array(64).fill(-1)
  let users = new Int32Array(64)
  const listOf = new RecordTable({
    a: (list) => columns.category[youngest[list]],
    b: (list) => columns.user[youngest[list]],
  })
  const unitOf = new RecordTable({ a: (unit) => columns.user[unit], b: (unit) => columns.text[unit] })
  // The cell that closes.
  let members = new Int32Array(64) // lists
  let unit = new Int32Array(64)
  let dealt = new Int32Array(64)
  let order = new Int32Array(64)

  const openList = (record: number, category: number) => {
    let list = freeList
    if (list >= 0) freeList = nextList[list]
    else {
      list = lists++
      if (list === youngest.length) {
        youngest = growInt32(youngest, list + 1)
        length = growInt32(length, list + 1)
        nextList = growInt32(nextList, list + 1)
      }
    }
    youngest[list] = record
    length[list] = 1
    nextUnit[record] = record
    nextList[list] = firstList[category]
    firstList[category] = list
    users[category]++
    listOf.add(list, category, columns.user[record])
  }

  /** Puts a record of a user who waits already into his list; false where the list is full. */
  const joinList = (record: number, list: number, isForced: boolean): boolean => {
    const last = youngest[list]
    const known = length[list] === 1 ? sameText(last, record) : unitOf.find(columns.user[record], columns.text[record])
    if (known >= 0) {
      if (repeats[known] >= mostRepeats && !isForced) return false
      repeats[known]++
      nextRepeat[record] = nextRepeat[known]
      nextRepeat[known] = record
      return true
    }
    const count = Math.abs(length[list])
    if (count >= backlog && !isForced) return false
    const user = columns.user[record]
    if (length[list] === 1) unitOf.add(last, user, columns.text[last])
    unitOf.add(record, user, columns.text[record])
    length[list] = -(count + 1)
    nextUnit[record] = nextUnit[last]
    nextUnit[last] = record
    youngest[list] = record
    return true
  }

  const sameText = (unitRecord: number, record: number) =>
    columns.text[unitRecord] === columns.text[record] ? unitRecord : -1

  /** The lists that take part, in `members`. */
  const chooseMembers = (category: number) => {
    const there = users[category]
    if (members.length < there) members = new Int32Array(there * 2)
    let found = 0
    for (let list = firstList[category]; list >= 0; list = nextList[list]) members[found++] = list
    if (there <= k + 1) return
    // More wait only after k was made smaller: the longest lists first, in random order where they are equally long.
    shuffleFirst(members, there, random)
    members.subarray(0, there).sort((a, b) => Math.abs(length[b]) - Math.abs(length[a]))
  }

  const closeCell = (category: number) => {
    const size = k + 1
    const there = users[category]
    chooseMembers(category)
    if (unit.length < size) {
      unit = new Int32Array(size * 2)
      dealt = new Int32Array(size * 2)
      order = new Int32Array(size * 2)
    }
    for (let i = 0; i < size; i++) {
      unit[i] = nextUnit[youngest[members[i]]]
      order[i] = i
    }
    drawDerangement(dealt, size, random)
    shuffleFirst(order, size, random)
    takeUnits(category, size)
    for (let i = 0; i < size; i++) {
      const as = unit[dealt[order[i]]]
      for (let record = unit[order[i]]; record >= 0; record = nextRepeat[record]) {
        waiting--
        sink.release(record, as, cells, there)
      }
    }
    cells++
  }

  /** Takes the oldest unit off the lists of the first `size` members, and empty lists off the category. */
  const takeUnits = (category: number, size: number) => {
    for (let i = 0; i < size; i++) {
      const list = members[i]
      const user = columns.user[unit[i]]
      if (length[list] < 0) unitOf.remove(unit[i], user, columns.text[unit[i]])
      const left = Math.abs(length[list]) - 1
      if (left === 0) listOf.remove(list, category, user)
      else nextUnit[youngest[list]] = nextUnit[unit[i]]
      length[list] = left === 0 ? 0 : -left
    }
    let chain = -1
    let next = -1
    for (let list = firstList[category]; list >= 0; list = next) {
      next = nextList[list]
      if (length[list] === 0) {
        nextList[list] = freeList
        freeList = list
        users[category]--
      } else {
        nextList[list] = chain
        chain = list
      }
    }
    firstList[category] = chain
  }

  /** Makes room; then the record waits, unless its user's list is full and it is not forced. */
  const enter = (record: number, category: number, isForced: boolean): boolean => {
    if (category >= users.length) {
      const known = users.length
      firstList = growInt32(firstList, category + 1).fill(-1, known)
      users = growInt32(users, category + 1)
    }
    if (record >= nextUnit.length) {
      const least = Math.max(record + 1, columns.user.length)
      nextUnit = growInt32(nextUnit, least)
      nextRepeat = growInt32(nextRepeat, least)
      repeats = growInt32(repeats, least)
    }
    nextRepeat[record] = -1
    repeats[record] = 1
    const list = listOf.find(category, columns.user[record])
    if (list < 0) openList(record, category)
    else if (!joinList(record, list, isForced)) return false
    waiting++
    return true
  }

  return {
    offer(record) {
      const category = columns.category[record]
      if (!enter(record, category, false)) return sink.withhold(record)
      while (users[category] > k) closeCell(category)
    },
    restore(record) {
      enter(record, columns.category[record], true)
    },
    setK(next) {
      k = next
    },
    usersIn: (category) => (category < users.length ? users[category] : 0),
    get waiting() {
      return waiting
    },
  }
}
