import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import type { CsrSets } from "../../kernels/set-users.ts"
import type { SearchLog } from "../../log/search-log.ts"

/** What two releases show under each of their names, with common feature numbers. */
export interface SharedFeatures {
  /** The features of each name of either release, ascending. */
  own: CsrSets
  other: CsrSets
  /** Features below this number are searches: a text at a time. Features from it on also have a url. */
  searches: number
}

/**
 * Two rows show the same search if they have equal text and time, truncated to the longer of the two units. Times are
 * not compared if the unit is undefined. Two rows show the same click if they also have equal urls.
 */
export function shareFeatures(
  own: SearchLog,
  other: SearchLog,
  { timeUnit }: { timeUnit: number | undefined },
): SharedFeatures {
  const cut = (time: number) => (timeUnit === undefined ? 0 : (Math.floor(time / timeUnit) * timeUnit) ^ 0x80000000)
  const both = (ours: Int32Array, theirs: Int32Array) => {
    const column = new Uint32Array(ours.length + theirs.length)
    column.set(ours)
    column.set(theirs, ours.length)
    return column
  }
  const text = translate(own.queries, other.queries)
  const url = translate(own.urls, other.urls)
  const texts = both(
    own.query.map((id) => text[id]),
    other.query,
  )
  const times = both(own.time.map(cut), other.time.map(cut))
  const urls = both(
    own.url.map((id) => (id < 0 ? 0 : url[id] + 1)),
    other.url.map((id) => id + 1),
  )
  const searchOf = numberRows([texts, times])
  const searches = searchOf.size
  const clickOf = numberRows([texts, times, urls])
  const size = searches + clickOf.size
  const collect = (log: SearchLog, first: number): CsrSets => {
    const offsets = new Uint32Array(log.users.size + 1)
    const members: number[] = []
    let row = 0
    for (let name = 0; name < log.users.size; name++) {
      const features = new Set<number>()
      for (; row < log.rows && log.user[row] === name; row++) {
        features.add(searchOf.ids[first + row])
        if (log.url[row] >= 0) features.add(searches + clickOf.ids[first + row])
      }
      for (const feature of [...features].sort((a, b) => a - b)) members.push(feature)
      offsets[name + 1] = members.length
    }
    return { offsets, members: Int32Array.from(members), size }
  }
  return { own: collect(own, 0), other: collect(other, own.rows), searches }
}

/** Maps the ids of one dictionary to another. Texts that the other lacks get ids after its last. */
function translate(from: SearchLog["queries"], to: SearchLog["queries"]): Int32Array {
  return Int32Array.from({ length: from.size }, (_, id) => {
    const found = to.findBytes(from.bytes(id))
    return found < 0 ? to.size + id : found
  })
}

/** Numbers rows by their columns; equal rows get the same number. */
function numberRows(columns: readonly Uint32Array[]): { ids: Uint32Array; size: number } {
  const order = orderByNumbers(columns)
  const ids = new Uint32Array(order.length)
  let size = 0
  order.forEach((row, i) => {
    if (i === 0 || columns.some((column) => column[row] !== column[order[i - 1]])) size++
    ids[row] = size - 1
  })
  return { ids, size }
}
