import type { SearchLog } from "../../log/search-log.ts"

/** One user's searches in the order in which he made them: the first row of each event, and behind them the end. */
export interface History {
  user: number
  /** The first row of each search; the rest of its rows follow it. */
  events: Uint32Array
  size: number
}

/**
 * The users' histories, one after the other; the object is used again. Searches of one second stand in the log in the order
 * of their queries' numbers, which depend on what others searched: here they stand in the order of their lines, and those
 * of one line in the order of their texts. So a history is a function of its user's own rows, which the proof needs.
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

/** Rows of an event are sorted by rank: its first line may be any of them. */
function firstLine({ event, line, rows }: SearchLog, start: number): number {
  let first = line[start]
  for (let row = start + 1; row < rows && event[row] === event[start]; row++) first = Math.min(first, line[row])
  return first
}
