import type { ParsedBlock } from "./formats/parsed-block.ts"
import { type LogColumns, sharedInt32, sharedUint16, sharedUint32 } from "./search-log.ts"

type Rows = Omit<LogColumns, "category">

/** The log's id of every local id of a block. */
interface BlockIds {
  user: Int32Array
  query: Int32Array
  url: Int32Array
}

/** No more room than this is made in advance: systems that count reserved memory would refuse it. */
const mostExpected = 2 ** 27

/**
 * The columns of a log while it is read, on shared memory. There is room for more rows than come: memory that is never
 * written takes no real memory.
 *
 * Rows are sorted as they come, while they are in the cache. Most logs are grouped by user, and out of order only
 * within one search, so a row moves by a few places. If a log is not like that, it is left as it came.
 */
export class GrowingRows {
  length = 0
  #rows: Rows
  #isSorted = true

  constructor({ expected }: { expected: number }) {
    this.#rows = makeRows(Math.max(1024, Math.ceil(Math.min(mostExpected, expected))))
  }

  /** Adds the rows of a block. `lines`: how many lines came before. `sorts`: false if rows must stay where they are. */
  add(block: ParsedBlock, { ids, lines, sorts }: { ids: BlockIds; lines: number; sorts: boolean }): void {
    const from = this.length
    const to = from + block.user.length
    this.#makeRoom(to)
    const { user, query, time, rank, url, line } = this.#rows
    renumberTo(user, block.user, { ids: ids.user, at: from })
    renumberTo(query, block.query, { ids: ids.query, at: from })
    renumberTo(url, block.url, { ids: ids.url, at: from })
    time.set(block.time, from)
    rank.set(block.rank, from)
    for (let i = 0; i < block.line.length; i++) line[from + i] = block.line[i] + lines
    this.length = to
    this.#isSorted &&= sorts && sortTail(this.#rows, { from, to })
  }

  /** The columns, and whether they are known to be sorted by (user, time, query, rank, line). */
  finish(): { columns: Rows; sorted: boolean } {
    return { columns: firstRows(this.#rows, this.length), sorted: this.#isSorted }
  }

  #makeRoom(rows: number): void {
    if (rows <= this.#rows.user.length) return
    const larger = makeRows(Math.ceil(rows * 1.5))
    const held = firstRows(this.#rows, this.length)
    larger.user.set(held.user)
    larger.query.set(held.query)
    larger.time.set(held.time)
    larger.rank.set(held.rank)
    larger.url.set(held.url)
    larger.line.set(held.line)
    this.#rows = larger
  }
}

const makeRows = (capacity: number): Rows => ({
  user: sharedInt32(capacity),
  query: sharedInt32(capacity),
  time: sharedInt32(capacity),
  rank: sharedUint16(capacity),
  url: sharedInt32(capacity),
  line: sharedUint32(capacity),
})

const firstRows = ({ user, query, time, rank, url, line }: Rows, length: number): Rows => ({
  user: user.subarray(0, length),
  query: query.subarray(0, length),
  time: time.subarray(0, length),
  rank: rank.subarray(0, length),
  url: url.subarray(0, length),
  line: line.subarray(0, length),
})

function renumberTo(whole: Int32Array, column: Int32Array, { ids, at }: { ids: Int32Array; at: number }): void {
  for (let i = 0; i < column.length; i++) whole[at + i] = column[i] < 0 ? -1 : ids[column[i]]
}

/**
 * Sorts the rows from `from` on into those before, by insertion. Returns false if rows are not grouped by user, or have
 * no user, or need more than a few exchanges. All rows are still there then, and not in order.
 */
function sortTail({ user, query, time, rank, url, line }: Rows, { from, to }: { from: number; to: number }): boolean {
  let exchanges = 4 * (to - from)
  if (from < to && user[from] < 0) return false
  for (let i = Math.max(1, from); i < to; i++) {
    const owner = user[i]
    if (owner !== user[i - 1]) {
      if (owner < user[i - 1]) return false
      continue
    }
    const at = time[i]
    if (time[i - 1] < at) continue
    const [text, place, clicked, number] = [query[i], rank[i], url[i], line[i]]
    let j = i
    for (; j > 0 && user[j - 1] === owner; j--) {
      const order = time[j - 1] - at || query[j - 1] - text || rank[j - 1] - place
      if (order <= 0) break // a line before has a smaller number
      time[j] = time[j - 1]
      query[j] = query[j - 1]
      rank[j] = rank[j - 1]
      url[j] = url[j - 1]
      line[j] = line[j - 1]
    }
    exchanges -= i - j
    if (j < i) {
      time[j] = at
      query[j] = text
      rank[j] = place
      url[j] = clicked
      line[j] = number
    }
    if (exchanges < 0) return false
  }
  return true
}
