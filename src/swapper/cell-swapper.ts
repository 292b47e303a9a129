import { shuffleFirst } from "../kernels/random.ts"
import { CellTexts } from "./cell-texts.ts"
import { drawDerangement } from "./derange.ts"
import { growInt32 } from "./grow.ts"
import { RecordTable } from "./record-table.ts"
import type { RecordColumns, Swapper, SwapperOptions, WithheldBy } from "./swapper.ts"

// Of the words of a record, and of a list.
const nextUnitAt = 0
const nextRepeatAt = 1
const repeatsAt = 2
const claimAt = 3
const youngestAt = 0
const lengthAt = 1
const nextListAt = 2

/**
 * The strict swapper. In each category every user has a list of waiting units; a unit is a text that the user issued, once
 * or again while it waited. As soon as k + 1 users wait, a cell closes: one unit of each of k + 1 users, those with the
 * longest lists first and ties at random, the oldest of each. Its users are dealt out by a uniform derangement, and its
 * units leave in random order. Why the chance of naming the right user is 1/k: docs/methods/swap.md.
 *
 * With `distinctTexts` no two units of a cell have the same text, so nobody is shown with a text of their own. While at
 * most k + 1 users wait, all of them take part in the next cell, so the cell of a unit is known when it arrives: the unit
 * at place p of its list leaves p cells after the next. A unit whose text waits for that cell already is withheld. After k
 * was made smaller, or units were restored that were not admitted this way, places can be wrong and texts can meet: then a
 * cell takes users whose oldest units have distinct texts, waits while there are too few of them, and places are counted anew.
 *
 * A unit is known by its first record, a list by a number that is used again. Lists are rings of units, known by their
 * youngest; the lists of a category hang together in a chain that is walked only when a cell closes.
 */
export function createCellSwapper(columns: RecordColumns, options: SwapperOptions): Swapper {
  const { random, sink, backlog, mostRepeats = Number.POSITIVE_INFINITY, distinctTexts = true } = options
  const { stride = 1 } = columns
  let { k } = options
  let cells = 0
  let waiting = 0
  // Four words a record: the next unit of the ring, the next repeat of the unit (-1 at its end), how many it has, and the
  // hash of its claim, by its first record.
  let units = new Int32Array(4 * 64)
  // Four words a list: its youngest unit; how many units, negative once the list was longer than one: they are in
  // `unitOf`; and the next list of the category, or of those that are free.
  let listWords = new Int32Array(4 * 64)
  let lists = 0
  let freeList = -1
  const userOf = (record: number) => columns.user[record * stride]
  const textOf = (record: number) => columns.text[record * stride]
  const categoryOf = (record: number) => columns.category[record * stride]
  // By category.
  let firstList = new Int32Array(64).fill(-1)
  let users = new Int32Array(64)
  let closed = new Int32Array(64) // cells
  let doubles = new Int32Array(64) // lists whose oldest unit has the text of another one's
  let isLoose = new Uint8Array(64) // 1: some unit could not claim its text
  const listOf = new RecordTable({
    a: (list) => columns.category[listWords[list * 4 + youngestAt] * stride],
    b: (list) => userOf(listWords[list * 4 + youngestAt]),
  })
  // If the log gives the categories, one text may have several: a unit is found by text and category.
  const unitKey = (record: number) => Math.imul(textOf(record), 0x9e3779b1) ^ categoryOf(record)
  const unitOf = new RecordTable({ a: userOf, b: unitKey })
  const claims = new CellTexts({
    text: textOf,
    category: (unit) => columns.category[unit * stride],
    hash: (unit) => units[unit * 4 + claimAt],
  })
  // The cell that closes.
  let members = new Int32Array(64) // lists
  let unit = new Int32Array(64)
  let dealt = new Int32Array(64)
  let order = new Int32Array(64)

  /** Claims the text of a unit for the cell at this place, unless another unit has; forced: the unit waits without. */
  const claimText = (unit: number, place: number, isForced: boolean): boolean => {
    if (!distinctTexts) return true
    const category = columns.category[unit * stride]
    units[unit * 4 + claimAt] = claims.hash(textOf(unit), closed[category] + place)
    if (claims.claim(unit)) return true
    if (!isForced) return false
    isLoose[category] = 1
    if (place === 0) doubles[category]++
    return true
  }

  /** Claims the texts of all units of a category anew, each for the cell that it is now known to leave with. */
  const claimAnew = (category: number) => {
    forEachUnit(category, (unit) => claims.giveUp(unit))
    doubles[category] = 0
    isLoose[category] = 0
    forEachUnit(category, (unit, place) => claimText(unit, place, true))
  }

  /** Visits the units that wait in a category, with their places in their lists. */
  const forEachUnit = (category: number, visit: (unit: number, place: number) => void) => {
    for (let list = firstList[category]; list >= 0; list = listWords[list * 4 + nextListAt]) {
      const length = Math.abs(listWords[list * 4 + lengthAt])
      let unit = oldestOf(list)
      for (let place = 0; place < length; place++) {
        visit(unit, place)
        unit = units[unit * 4 + nextUnitAt]
      }
    }
  }

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

  /** Puts a record of a user who waits already into their list, unless there is a reason not to. */
  const joinList = (record: number, list: number, isForced: boolean): WithheldBy | undefined => {
    const last = listWords[list * 4 + youngestAt]
    const known = findWaiting(record, list)
    if (known >= 0) {
      if (units[known * 4 + repeatsAt] >= mostRepeats && !isForced) return "backlog"
      units[known * 4 + repeatsAt]++
      units[record * 4 + nextRepeatAt] = units[known * 4 + nextRepeatAt]
      units[known * 4 + nextRepeatAt] = record
      return undefined
    }
    const count = Math.abs(listWords[list * 4 + lengthAt])
    if (count >= backlog && !isForced) return "backlog"
    if (!claimText(record, count, isForced)) return "same-text"
    const user = userOf(record)
    if (listWords[list * 4 + lengthAt] === 1) unitOf.add(last, user, unitKey(last))
    unitOf.add(record, user, unitKey(record))
    listWords[list * 4 + lengthAt] = -(count + 1)
    units[record * 4 + nextUnitAt] = units[last * 4 + nextUnitAt]
    units[last * 4 + nextUnitAt] = record
    listWords[list * 4 + youngestAt] = record
    return undefined
  }

  /** The unit of a list that has the text of a record of its user; -1 where there is none. */
  const findWaiting = (record: number, list: number) => {
    const last = listWords[list * 4 + youngestAt]
    if (listWords[list * 4 + lengthAt] !== 1) {
      const found = unitOf.find(userOf(record), unitKey(record))
      const isOther = found >= 0 && (textOf(found) !== textOf(record) || categoryOf(found) !== categoryOf(record))
      return isOther ? -1 : found
    }
    return textOf(last) === textOf(record) ? last : -1
  }

  /** The lists that take part, first in `members`. */
  const chooseMembers = (category: number) => {
    const there = users[category]
    if (members.length < there) members = new Int32Array(there * 2)
    let found = 0
    for (let list = firstList[category]; list >= 0; list = listWords[list * 4 + nextListAt]) members[found++] = list
    if (there <= k + 1) return
    // More wait only after k was made smaller, or while texts meet: the longest lists first, in random order where they
    // are equally long.
    shuffleFirst(members, there, random)
    members
      .subarray(0, there)
      .sort((a, b) => Math.abs(listWords[b * 4 + lengthAt]) - Math.abs(listWords[a * 4 + lengthAt]))
    if (doubles[category] > 0) distinctFirst(there)
  }

  const oldestOf = (list: number) => units[listWords[list * 4 + youngestAt] * 4 + nextUnitAt]

  /** Moves k + 1 members whose oldest units have distinct texts to the front; the first of each text comes first. */
  const distinctFirst = (there: number) => {
    const seen = new Set<number>()
    for (let i = 0; seen.size <= k && i < there; i++) {
      const list = members[i]
      const text = textOf(oldestOf(list))
      if (seen.has(text)) continue
      members[i] = members[seen.size]
      members[seen.size] = list
      seen.add(text)
    }
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
      unit[i] = oldestOf(members[i])
      order[i] = i
    }
    drawDerangement(dealt, size, random)
    shuffleFirst(order, size, random)
    takeUnits(category, size)
    closed[category]++
    if (distinctTexts && (isLoose[category] === 1 || there > size)) claimAnew(category)
    if (sink.gather !== undefined)
      for (let i = 0; i < size; i++)
        for (let record = unit[i]; record >= 0; record = units[record * 4 + nextRepeatAt]) sink.gather(record)
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
      if (distinctTexts) claims.giveUp(unit[i])
      if (listWords[list * 4 + lengthAt] < 0) unitOf.remove(unit[i], user, unitKey(unit[i]))
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

  const addCategories = (least: number) => {
    const known = users.length
    firstList = growInt32(firstList, least).fill(-1, known)
    users = growInt32(users, least)
    closed = growInt32(closed, least)
    doubles = growInt32(doubles, least)
    const grown = new Uint8Array(users.length)
    grown.set(isLoose)
    isLoose = grown
  }

  /** Makes room; then the record waits, unless there is a reason not to and it is not forced. */
  const enter = (record: number, category: number, isForced: boolean): WithheldBy | undefined => {
    if (category >= users.length) addCategories(category + 1)
    if ((record + 1) * 4 > units.length)
      units = growInt32(units, 4 * Math.max(record + 1, Math.floor(columns.user.length / stride)))
    units[record * 4 + nextRepeatAt] = -1
    units[record * 4 + repeatsAt] = 1
    const list = listOf.find(category, userOf(record))
    if (list >= 0) {
      const reason = joinList(record, list, isForced)
      if (reason !== undefined) return reason
    } else if (claimText(record, 0, isForced)) openList(record, category)
    else return "same-text"
    waiting++
    return undefined
  }

  return {
    offer(record) {
      const category = columns.category[record * stride]
      const reason = enter(record, category, false)
      if (reason !== undefined) return sink.withhold(record, reason)
      while (users[category] - doubles[category] > k) closeCell(category)
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
