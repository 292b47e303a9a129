import { shuffleFirst } from "../kernels/random.ts"
import { drawDerangement } from "./derange.ts"
import { growInt32 } from "./grow.ts"
import { RecordTable } from "./record-table.ts"
import type { RecordColumns, Swapper, SwapperOptions } from "./swapper.ts"

// Of the words of a record, and of a list.
const nextUnitAt = 0
const nextRepeatAt = 1
const repeatsAt = 2
const youngestAt = 0
const lengthAt = 1
const nextListAt = 2

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
  const { stride = 1 } = columns
  let { k } = options
  let cells = 0
  let waiting = 0
  // Four words a record: the next unit of the ring, the next repeat of the unit (-1 at its end), and how many it has, by
  // its first record.
  let units = new Int32Array(4 * 64)
  // Four words a list: its youngest unit; how many units, negative once the list was longer than one: they are in
  // `unitOf`; and the next list of the category, or of those that are free.
  let listWords = new Int32Array(4 * 64)
  let lists = 0
  let freeList = -1
  const userOf = (record: number) => columns.user[record * stride]
  const textOf = (record: number) => columns.text[record * stride]
  // By category.
  let firstList = new Int32Array(64).fill(-1)
  let users = new Int32Array(64)
  const listOf = new RecordTable({
    a: (list) => columns.category[listWords[list * 4 + youngestAt] * stride],
    b: (list) => userOf(listWords[list * 4 + youngestAt]),
  })
  const unitOf = new RecordTable({ a: userOf, b: textOf })
  // The cell that closes.
  let members = new Int32Array(64) // lists
  let unit = new Int32Array(64)
  let dealt = new Int32Array(64)
  let order = new Int32Array(64)

  const openList = (record: number, category: number) => {
    let list = freeList
    if (list >= 0) freeList = listWords[list * 4 + nextListAt]
    else {
      list = lists++
      if (lists * 4 > listWords.length) listWords = growInt32(listWords, lists * 4)
    }
    listWords[list * 4 + youngestAt] = record
    listWords[list * 4 + lengthAt] = 1
    units[record * 4 + nextUnitAt] = record
    listWords[list * 4 + nextListAt] = firstList[category]
    firstList[category] = list
    users[category]++
    listOf.add(list, category, userOf(record))
  }

  /** Puts a record of a user who waits already into his list; false where the list is full. */
  const joinList = (record: number, list: number, isForced: boolean): boolean => {
    const last = listWords[list * 4 + youngestAt]
    const known = findWaiting(record, list)
    if (known >= 0) {
      if (units[known * 4 + repeatsAt] >= mostRepeats && !isForced) return false
      units[known * 4 + repeatsAt]++
      units[record * 4 + nextRepeatAt] = units[known * 4 + nextRepeatAt]
      units[known * 4 + nextRepeatAt] = record
      return true
    }
    const count = Math.abs(listWords[list * 4 + lengthAt])
    if (count >= backlog && !isForced) return false
    const user = userOf(record)
    if (listWords[list * 4 + lengthAt] === 1) unitOf.add(last, user, textOf(last))
    unitOf.add(record, user, textOf(record))
    listWords[list * 4 + lengthAt] = -(count + 1)
    units[record * 4 + nextUnitAt] = units[last * 4 + nextUnitAt]
    units[last * 4 + nextUnitAt] = record
    listWords[list * 4 + youngestAt] = record
    return true
  }

  /** The unit of a list that has the text of a record of its user; -1 where there is none. */
  const findWaiting = (record: number, list: number) => {
    const last = listWords[list * 4 + youngestAt]
    if (listWords[list * 4 + lengthAt] !== 1) return unitOf.find(userOf(record), textOf(record))
    return textOf(last) === textOf(record) ? last : -1
  }

  /** The lists that take part, in `members`. */
  const chooseMembers = (category: number) => {
    const there = users[category]
    if (members.length < there) members = new Int32Array(there * 2)
    let found = 0
    for (let list = firstList[category]; list >= 0; list = listWords[list * 4 + nextListAt]) members[found++] = list
    if (there <= k + 1) return
    // More wait only after k was made smaller: the longest lists first, in random order where they are equally long.
    shuffleFirst(members, there, random)
    members
      .subarray(0, there)
      .sort((a, b) => Math.abs(listWords[b * 4 + lengthAt]) - Math.abs(listWords[a * 4 + lengthAt]))
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
      unit[i] = units[listWords[members[i] * 4 + youngestAt] * 4 + nextUnitAt]
      order[i] = i
    }
    drawDerangement(dealt, size, random)
    shuffleFirst(order, size, random)
    takeUnits(category, size)
    for (let i = 0; i < size; i++) {
      const as = unit[dealt[order[i]]]
      for (let record = unit[order[i]]; record >= 0; record = units[record * 4 + nextRepeatAt]) {
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
      const user = userOf(unit[i])
      if (listWords[list * 4 + lengthAt] < 0) unitOf.remove(unit[i], user, textOf(unit[i]))
      const left = Math.abs(listWords[list * 4 + lengthAt]) - 1
      if (left === 0) listOf.remove(list, category, user)
      else units[listWords[list * 4 + youngestAt] * 4 + nextUnitAt] = units[unit[i] * 4 + nextUnitAt]
      listWords[list * 4 + lengthAt] = left === 0 ? 0 : -left
    }
    let chain = -1
    let next = -1
    for (let list = firstList[category]; list >= 0; list = next) {
      next = listWords[list * 4 + nextListAt]
      if (listWords[list * 4 + lengthAt] === 0) {
        listWords[list * 4 + nextListAt] = freeList
        freeList = list
        users[category]--
      } else {
        listWords[list * 4 + nextListAt] = chain
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
    if ((record + 1) * 4 > units.length)
      units = growInt32(units, 4 * Math.max(record + 1, Math.floor(columns.user.length / stride)))
    units[record * 4 + nextRepeatAt] = -1
    units[record * 4 + repeatsAt] = 1
    const list = listOf.find(category, userOf(record))
    if (list < 0) openList(record, category)
    else if (!joinList(record, list, isForced)) return false
    waiting++
    return true
  }

  return {
    offer(record) {
      const category = columns.category[record * stride]
      if (!enter(record, category, false)) return sink.withhold(record)
      while (users[category] > k) closeCell(category)
    },
    restore(record) {
      enter(record, columns.category[record * stride], true)
    },
    setK(next) {
      k = next
    },
    placeOf(record) {
      const list = listOf.find(columns.category[record * stride], userOf(record))
      if (list < 0) return 0
      return findWaiting(record, list) >= 0 ? -1 : Math.abs(listWords[list * 4 + lengthAt])
    },
    usersIn: (category) => (category < users.length ? users[category] : 0),
    get waiting() {
      return waiting
    },
  }
}
