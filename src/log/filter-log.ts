import { type LogColumns, numberEvents, type SearchLog, sharedInt32, sharedUint16, sharedUint32 } from "./search-log.ts"

/** Some rows of the columns, in the given order. */
export function selectRows(
  { user, query, time, rank, url, category, line }: LogColumns,
  rows: Uint32Array,
): LogColumns {
  return {
    user: pick(user, rows, sharedInt32),
    query: pick(query, rows, sharedInt32),
    time: pick(time, rows, sharedInt32),
    rank: pick(rank, rows, sharedUint16),
    url: pick(url, rows, sharedInt32),
    ...(category && { category: pick(category, rows, sharedInt32) }),
    line: pick(line, rows, sharedUint32),
  }
}

/** A copy of the columns, on shared memory. */
export function copyColumns({ user, query, time, rank, url, category, line }: LogColumns): LogColumns {
  const copy = <A extends Int32Array | Uint32Array | Uint16Array>(column: A, make: (length: number) => A): A => {
    const copied = make(column.length)
    copied.set(column)
    return copied
  }
  return {
    user: copy(user, sharedInt32),
    query: copy(query, sharedInt32),
    time: copy(time, sharedInt32),
    rank: copy(rank, sharedUint16),
    url: copy(url, sharedInt32),
    ...(category && { category: copy(category, sharedInt32) }),
    line: copy(line, sharedUint32),
  }
}

function pick<A extends Int32Array | Uint32Array | Uint16Array>(
  column: A,
  rows: Uint32Array,
  make: (length: number) => A,
): A {
  const picked = make(rows.length)
  for (let i = 0; i < rows.length; i++) picked[i] = column[rows[i]]
  return picked
}

/**
 * The log without the rows of some queries. `leave` has a 1 for each query to drop. Ids and dictionaries do not change.
 */
export function withoutQueries(log: SearchLog, leave: Uint8Array): SearchLog {
  return withoutIds(log, log.query, leave)
}

/**
 * The log without the rows of some users. `leave` has a 1 for each user to drop. Ids and dictionaries do not change.
 */
export function withoutUsers(log: SearchLog, leave: Uint8Array): SearchLog {
  return withoutIds(log, log.user, leave)
}

/** Keeps rows without an id (-1). */
function withoutIds(log: SearchLog, ids: Int32Array, leave: Uint8Array): SearchLog {
  if (leave.every((mark) => mark === 0)) return log
  const isKept = (row: number) => ids[row] < 0 || leave[ids[row]] === 0
  let count = 0
  for (let row = 0; row < log.rows; row++) if (isKept(row)) count++
  if (count === log.rows) return log
  const rows = new Uint32Array(count)
  for (let row = 0, at = 0; row < log.rows; row++) if (isKept(row)) rows[at++] = row
  const columns = selectRows(log, rows)
  const event = numberEvents(columns)
  const events = count === 0 ? 0 : event[count - 1] + 1
  const { unit, users, queries, urls, categories } = log
  const texts = { users, queries, urls, ...(categories && { categories }) }
  return { unit, rows: count, events, ...texts, ...columns, event }
}
