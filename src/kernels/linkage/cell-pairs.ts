import type { ReleasedStream } from "./released-stream.ts"
import type { TimeRuns } from "./time-runs.ts"

/** The cells of one category that share at least one text with another of these cells. */
export interface ComparedCells {
  /** The first unit of each cell, then the number of units. */
  cells: Int32Array
  /** By unit: the position of its first record, the user shown with it, and its text. */
  at: Int32Array
  user: Int32Array
  text: Int32Array
  /** By unit: 1 if its text left with several of these cells. */
  isRepeated: Uint8Array
  /** Number of pairs of a unit and a place of its cell. */
  pairs: number
}

/** Gathers the cells among the runs [from, to). `seen` is indexed by text; it is 0 before and after the call. */
export function gatherCells(
  { user, text }: ReleasedStream,
  { order, starts, isUnit }: TimeRuns,
  { from, to, largest, seen }: { from: number; to: number; largest: number; seen: Int32Array },
): ComparedCells {
  const found = { cells: [0], at: [] as number[], pairs: 0 }
  const fits = new Uint8Array(to - from)
  const markTexts = (run: number) => {
    for (let p = starts[run]; p < starts[run + 1]; p++) {
      const own = text[order[p]]
      seen[own] = seen[own] === 0 || seen[own] === run + 1 ? run + 1 : -1 // -1: in several cells
    }
  }
  for (let run = from; run < to; run++) {
    let units = 0
    for (let p = starts[run]; p < starts[run + 1]; p++) units += isUnit[p]
    if (units < 2 || units > largest) continue
    fits[run - from] = 1
    markTexts(run)
  }
  for (let run = from; run < to; run++) {
    const first = found.at.length
    let isCompared = false
    for (let p = starts[run]; p < starts[run + 1] && fits[run - from] === 1; p++) {
      if (isUnit[p] === 0) continue
      found.at.push(p)
      if (seen[text[order[p]]] < 0) isCompared = true
    }
    const units = found.at.length - first
    if (!isCompared) found.at.length = first
    else {
      found.cells.push(found.at.length)
      found.pairs += units * units
    }
  }
  const at = Int32Array.from(found.at)
  const column = (of: Int32Array) => at.map((p) => of[order[p]])
  const isRepeated = Uint8Array.from(at, (p) => (seen[text[order[p]]] < 0 ? 1 : 0))
  for (let p = starts[from]; p < starts[to]; p++) seen[text[order[p]]] = 0
  return {
    cells: Int32Array.from(found.cells),
    at,
    user: column(user),
    text: column(text),
    isRepeated,
    pairs: found.pairs,
  }
}

/** Groups the pairs that have the same user and the same text, in several cells. */
export interface PairGroups {
  /**
   * By unit: its first pair, or -1 if its text is not repeated. Its other pairs follow, one for each place of the cell.
   */
  first: Int32Array
  /** By pair: its group, or -1 if it has none. */
  group: Int32Array
  groups: number
}

/** Before and after the call `lastOf` (by text) is -1, `metIn` (by user) is 0 and `groupOf` (by user) is -1. */
export function groupPairs(
  { cells, user, text, isRepeated }: ComparedCells,
  { lastOf, metIn, groupOf }: { lastOf: Int32Array; metIn: Int32Array; groupOf: Int32Array },
): PairGroups {
  const first = new Int32Array(user.length).fill(-1)
  const before = new Int32Array(user.length).fill(-1) // the previous unit with the same text
  const cellOf = new Int32Array(user.length)
  let stored = 0
  for (let cell = 0; cell + 1 < cells.length; cell++) {
    cellOf.fill(cell, cells[cell], cells[cell + 1])
    for (let unit = cells[cell]; unit < cells[cell + 1]; unit++) {
      if (isRepeated[unit] === 0) continue
      first[unit] = stored
      stored += cells[cell + 1] - cells[cell]
      before[unit] = lastOf[text[unit]]
      lastOf[text[unit]] = unit
    }
  }
  const group = new Int32Array(stored).fill(-1)
  let groups = 0
  /** Visits the places of all cells of a text, except those of the user shown with it. */
  const visit = (last: number, see: (who: number, cell: number, pair: number) => void) => {
    for (let unit = last; unit >= 0; unit = before[unit]) {
      const cell = cellOf[unit]
      for (let other = cells[cell]; other < cells[cell + 1]; other++) {
        if (user[other] !== user[unit]) see(user[other], cell, first[unit] + other - cells[cell])
      }
    }
  }
  for (let unit = 0; unit < user.length; unit++) {
    if (isRepeated[unit] === 0 || lastOf[text[unit]] !== unit) continue
    lastOf[text[unit]] = -1
    visit(unit, (who, cell) => {
      if (metIn[who] === 0) metIn[who] = cell + 1
      else if (metIn[who] !== cell + 1 && groupOf[who] < 0) groupOf[who] = groups++
    })
    visit(unit, (who, _cell, pair) => {
      group[pair] = groupOf[who]
    })
    visit(unit, (who) => {
      metIn[who] = 0
      groupOf[who] = -1
    })
  }
  return { first, group, groups }
}
