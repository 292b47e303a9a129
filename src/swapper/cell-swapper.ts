import { CategoryColumns } from "./category-columns.ts"
import { CellCounts } from "./cell-counts.ts"
import { CellTexts } from "./cell-texts.ts"
import { ClosingCell } from "./closing-cell.ts"
import { RecordTable } from "./record-table.ts"
import {
  type CellDraw,
  type ComingRecords,
  mostWarmed,
  type RecordColumns,
  type Swapper,
  type SwapperOptions,
  type WithheldBy,
} from "./swapper.ts"
import { UserLists } from "./user-lists.ts"
import { WaitingUnits } from "./waiting-units.ts"

/**
 * The strict swapper. In each category every user has a list of waiting units. A unit is a text that the user issued,
 * once or again while it waited.
 *
 * As soon as k + 1 users wait, a cell closes. It takes one unit, the oldest, of each of k + 1 users. Users with the
 * longest lists come first, and ties are broken at random. Members are ordered by the positions of their units. A
 * uniform derangement deals out the users, and the units leave in random order. docs/methods/swap.md shows why the
 * chance of naming the right user is 1/k.
 *
 * With `distinctTexts` no two units of a cell have the same text, so nobody is shown with a text of their own. While at
 * most k + 1 users wait, all of them take part in the next cell. So the cell of a unit is known when it arrives: the
 * unit at place p of its list leaves p cells after the next. A unit is withheld if its text already waits for that
 * cell. Places can be wrong, and equal texts can meet, after k was made smaller or after units were restored that were
 * not admitted this way. Then a cell takes users whose oldest units have distinct texts, waits while there are too few
 * of them, and places are computed anew.
 *
 * What leaves, when and how depends on the records that were taken, their order and positions, and on what
 * `randomOfCell` returns. It does not depend on where records are stored, nor on whether they were offered or restored.
 */
export function createCellSwapper(columns: RecordColumns, options: SwapperOptions): Swapper {
  const { random, sink, backlog, mostRepeats = Number.POSITIVE_INFINITY, distinctTexts = true } = options
  const { randomOfCell, counts = new CellCounts(), expected = 0 } = options
  const { stride = 1 } = columns
  let { k } = options
  let cells = 0
  let waiting = 0
  const userOf = (record: number) => columns.user[record * stride]
  const textOf = (record: number) => columns.text[record * stride]
  const categoryOf = (record: number) => columns.category[record * stride]
  const units = new WaitingUnits()
  const lists = new UserLists()
  const categories = new CategoryColumns()
  const cell = new ClosingCell({
    time: (unit) => columns.position?.time[unit * stride] ?? 0,
    high: (unit) => columns.position?.high[unit * stride] ?? 0,
    low: (unit) => columns.position?.low[unit * stride] ?? unit,
    arrival: (unit) => columns.arrival?.(unit) ?? unit,
  })
  const listOf = new RecordTable({
    a: (list) => categoryOf(lists.youngest(list)),
    b: (list) => userOf(lists.youngest(list)),
  })
  // If the log gives the categories, one text may have several. So a unit is found by text and category.
  const keyOf = (text: number, category: number) => Math.imul(text, 0x9e3779b1) ^ category
  const unitKey = (record: number) => keyOf(textOf(record), categoryOf(record))
  const unitOf = new RecordTable({ a: userOf, b: unitKey })
  const claims = new CellTexts({ text: textOf, category: categoryOf, hash: (unit) => units.claim(unit) })

  unitOf.reserve(expected)
  claims.reserve(expected)

  const oldestOf = (list: number) => units.next(lists.youngest(list))

  /**
   * Claims the text of a unit for the cell at this place. Returns false if another unit has claimed it. If forced, the
   * unit waits without a claim and the result is true.
   */
  const claimText = (unit: number, place: number, isForced: boolean): boolean => {
    if (!distinctTexts) return true
    const category = categoryOf(unit)
    units.setClaim(unit, claims.hash(textOf(unit), counts.of(category) + place))
    if (claims.claim(unit)) return true
    if (!isForced) return false
    categories.isLoose[category] = 1
    if (place === 0) categories.doubles[category]++
    return true
  }

  /** Renews the claims of all units of a category, each for the cell that it will now leave with. */
  const claimAnew = (category: number) => {
    forEachUnit(category, (unit) => claims.giveUp(unit))
    categories.doubles[category] = 0
    categories.isLoose[category] = 0
    forEachUnit(category, (unit, place) => claimText(unit, place, true))
  }

  /** Visits the units that wait in a category, with their places in their lists. */
  const forEachUnit = (category: number, visit: (unit: number, place: number) => void) => {
    for (let list = categories.firstList[category]; list >= 0; list = lists.next(list)) {
      const length = lists.length(list)
      let unit = oldestOf(list)
      for (let place = 0; place < length; place++) {
        visit(unit, place)
        unit = units.next(unit)
      }
    }
  }

  /** The unit of a list that has the text of a record of the same user; -1 if there is none. */
  const findWaiting = (record: number, list: number) => {
    if (!lists.isIndexed(list)) {
      const only = lists.youngest(list)
      return textOf(only) === textOf(record) ? only : -1
    }
    const found = unitOf.find(userOf(record), unitKey(record))
    const isOther = found >= 0 && (textOf(found) !== textOf(record) || categoryOf(found) !== categoryOf(record))
    return isOther ? -1 : found
  }

  /** Opens a list for a user who has nothing waiting in the category yet. */
  const openList = (unit: number, category: number) => {
    const list = lists.open(unit)
    const last = categories.lastList[category]
    if (last < 0) categories.firstList[category] = list
    else lists.setNext(last, list)
    categories.lastList[category] = list
    categories.users[category]++
    listOf.add(list, category, userOf(unit))
  }

  /** Puts a record of a user who already waits into their list, or returns the reason why not. */
  const joinList = (record: number, list: number, isForced: boolean): WithheldBy | undefined => {
    const known = findWaiting(record, list)
    if (known >= 0) {
      if (units.repeats(known) >= mostRepeats && !isForced) return "backlog"
      units.addRepeat(record, known)
      return undefined
    }
    const length = lists.length(list)
    if (length >= backlog && !isForced) return "backlog"
    if (!claimText(record, length, isForced)) return "same-text"
    const youngest = lists.youngest(list)
    if (!lists.isIndexed(list)) {
      unitOf.add(youngest, userOf(youngest), unitKey(youngest))
      lists.setIndexed(list)
    }
    unitOf.add(record, userOf(record), unitKey(record))
    units.insert(record, youngest)
    lists.lengthen(list, record)
    return undefined
  }

  /** The randomness of the closing cell for this draw. */
  const randomOf = (category: number, draw: CellDraw) =>
    randomOfCell?.({ category, number: counts.of(category), draw, positions: cell.positions() }) ?? random

  /**
   * Gathers the members of the next cell. More than k + 1 users wait only after k was made smaller, or while equal
   * texts meet.
   */
  const gatherMembers = (category: number) => {
    const there = categories.users[category]
    cell.begin(there)
    for (let list = categories.firstList[category]; list >= 0; list = lists.next(list)) cell.add(list, oldestOf(list))
    cell.sort()
    if (there <= k + 1) return
    cell.choose(k + 1, {
      length: (list) => lists.length(list),
      text: categories.doubles[category] > 0 ? textOf : undefined,
      random: randomOf(category, "members"),
    })
  }

  const closeCell = (category: number) => {
    const there = categories.users[category]
    gatherMembers(category)
    cell.deal(randomOf(category, "dealing"))
    for (let i = 0; i < cell.size; i++) takeOldest(cell.list[i], cell.unit[i])
    closeEmptyLists(category)
    counts.add(category)
    if (distinctTexts && (categories.isLoose[category] === 1 || there > cell.size)) claimAnew(category)
    releaseCell(there)
  }

  /** Removes the oldest unit from its list. */
  const takeOldest = (list: number, unit: number) => {
    const user = userOf(unit)
    if (distinctTexts) claims.giveUp(unit)
    if (lists.isIndexed(list)) unitOf.remove(unit, user, unitKey(unit))
    if (lists.shorten(list) === 0) listOf.remove(list, categoryOf(unit), user)
    else units.dropNext(lists.youngest(list))
  }

  /** Removes empty lists from the chain of a category. */
  const closeEmptyLists = (category: number) => {
    let first = -1
    let last = -1
    let next = -1
    for (let list = categories.firstList[category]; list >= 0; list = next) {
      next = lists.next(list)
      if (lists.length(list) === 0) {
        lists.close(list)
        categories.users[category]--
        continue
      }
      if (last < 0) first = list
      else lists.setNext(last, list)
      last = list
    }
    if (last >= 0) lists.setNext(last, -1)
    categories.firstList[category] = first
    categories.lastList[category] = last
  }

  /** Releases the units of the cell, each with all its records. */
  const releaseCell = (there: number) => {
    const { size, unit, dealt, order } = cell
    if (sink.gather !== undefined)
      for (let i = 0; i < size; i++)
        for (let record = unit[i]; record >= 0; record = units.nextRepeat(record)) sink.gather(record)
    for (let i = 0; i < size; i++) {
      const as = unit[dealt[order[i]]]
      for (let record = unit[order[i]]; record >= 0; record = units.nextRepeat(record)) {
        waiting--
        sink.release(record, as, cells, there)
      }
    }
    cells++
  }

  /** Lets the record wait, or returns the reason why not. A forced record always waits. */
  const enter = (record: number, isForced: boolean): WithheldBy | undefined => {
    const category = categoryOf(record)
    categories.admit(category)
    units.begin(record, Math.floor(columns.user.length / stride))
    const list = listOf.find(category, userOf(record))
    if (list >= 0) {
      const reason = joinList(record, list, isForced)
      if (reason !== undefined) return reason
    } else if (claimText(record, 0, isForced)) openList(record, category)
    else return "same-text"
    waiting++
    return undefined
  }

  const youngest = new Int32Array(mostWarmed)
  const cellOf = new Int32Array(mostWarmed)

  /** The reads of one loop do not depend on each other, so they wait for the memory together. */
  const warm = ({ count, user, text, category }: ComingRecords): number => {
    let sink = 0
    for (let i = 0; i < count; i++) {
      youngest[i] = user[i] < 0 ? -1 : listOf.guess(category[i], user[i])
      if (user[i] >= 0) sink ^= unitOf.guess(user[i], keyOf(text[i], category[i]))
    }
    for (let i = 0; i < count; i++) {
      const list = youngest[i]
      cellOf[i] = counts.of(category[i]) + (list < 0 ? 0 : lists.length(list))
      if (list >= 0) youngest[i] = lists.youngest(list)
    }
    for (let i = 0; i < count; i++) {
      if (youngest[i] >= 0) sink ^= userOf(youngest[i]) ^ units.next(youngest[i])
      if (distinctTexts) sink ^= claims.peek(claims.hash(text[i], cellOf[i]))
    }
    return sink
  }

  return {
    warm,
    offer(record) {
      const category = categoryOf(record)
      const reason = enter(record, false)
      if (reason !== undefined) return sink.withhold(record, reason)
      while (categories.users[category] - categories.doubles[category] > k) closeCell(category)
    },
    restore(record) {
      enter(record, true)
    },
    setK(next) {
      k = next
    },
    placeOf(record) {
      const list = listOf.find(categoryOf(record), userOf(record))
      if (list < 0) return 0
      return findWaiting(record, list) >= 0 ? -1 : lists.length(list)
    },
    usersIn: (category) => (category < categories.users.length ? categories.users[category] : 0),
    get waiting() {
      return waiting
    },
  }
}
