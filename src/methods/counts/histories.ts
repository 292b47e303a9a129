import type { SearchLog } from "../../log/search-log.ts"

/**
 * One user's searches in the order in which they were made. `events` is longer than needed; only `size` entries are
 * valid.
 */
export interface History {
  user: number
  /** The first row of each search. The other rows of the search follow it in the log. */
  events: Uint32Array
  size: number
}

/**
 * Yields the users' histories one by one. The yielded object is reused. In the log, searches of the same second are
 * ordered by query number, which depends on what other users searched. Here they are ordered by line, and searches of
 * one line by text. So a history depends only on its user's own rows, which the proof needs.
 */
export function* histories(log: SearchLog): Generator<History> {
  const history: History = { user: -1, events: new Uint32Array(1024), size: 0 }
  for (let row = 0; row < log.rows; ) {
    history.user = log.user[row]
    history.size = 0
    let tied = false
    let end = row
    for (; end < log.rows && log.user[end] === history.user; end++) {
      if (end > row && log.event[end] === log.event[end - 1]) continue
      if (end > row && log.time[end] === log.time[end - 1]) tied = true
      if (history.size === history.events.length) {
        const larger = new Uint32Array(history.size * 2)
        larger.set(history.events)
        history.events = larger
      }
      history.events[history.size++] = end
    }
    if (tied) orderTies(log, history)
    if (history.user >= 0) yield history
    row = end
  }
}

function orderTies(log: SearchLog, { events, size }: History): void {
  for (let from = 0; from < size; ) {
    let to = from + 1
    while (to < size && log.time[events[to]] === log.time[events[from]]) to++
    if (to > from + 1) events.subarray(from, to).sort((x, y) => compareEvents(log, x, y))
    from = to
  }
}

function compareEvents(log: SearchLog, x: number, y: number): number {
  const lines = firstLine(log, x) - firstLine(log, y)
  return lines !== 0 ? lines : Buffer.compare(log.queries.bytes(log.query[x]), log.queries.bytes(log.query[y]))
}

/** The smallest line of an event. Its rows are sorted by rank, so any of them may have it. */
function firstLine({ event, line, rows }: SearchLog, start: number): number {
  let first = line[start]
  for (let row = start + 1; row < rows && event[row] === event[start]; row++) first = Math.min(first, line[row])
  return first
}
