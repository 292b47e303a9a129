import { Interner, warmBatch } from "../kernels/dictionary.ts"
import { gather, orderByKey, sortWithinRuns } from "../kernels/sort-segments.ts"
import type { ParsedBlock, ParsedTexts } from "./formats/parsed-block.ts"
import { type LogColumns, numberEvents, type SearchLog, sharedInt32, sharedUint16, sharedUint32 } from "./search-log.ts"

/**
 * Sorts the columns by (user, time, query, rank, line), numbers the events, and closes the log. A log without a user
 * column keeps its order, and each of its rows is an event.
 */
function closeLog(columns: LogColumns, texts: Pick<SearchLog, "users" | "queries" | "urls">): SearchLog {
  const { user, query, time, rank, url, line } = columns
  if (texts.users.size === 0) {
    const event = sharedInt32(user.length)
    for (let i = 0; i < event.length; i++) event[i] = i
    return { ...columns, ...texts, rows: user.length, events: user.length, event }
  }
  let grouped = true
  for (let i = 1; i < user.length && grouped; i++) grouped = user[i - 1] <= user[i]
  if (!grouped) {
    const order = orderByKey(user, texts.users.size)
    for (const column of [user, query, time, rank, url, line]) gather(column, order)
  }
  sortWithinRuns(user, [time, query, rank, line], [url])
  const event = numberEvents(columns)
  const events = event.length === 0 ? 0 : event[event.length - 1] + 1
  return { ...columns, ...texts, rows: user.length, events, event }
}

/** Puts parsed blocks, in the order of the input, together into one log. */
export class LogAssembler {
  readonly #users: Interner
  readonly #queries: Interner
  readonly #urls: Interner
  #blocks: ParsedBlock[] = []
  #lines = 0
  rows = 0

  /** `bytes`: about how much text is to come; tables of the right size need not grow. */
  constructor(options: { seed: number; bytes: number }) {
    const { seed, bytes } = options
    this.#users = new Interner({ seed, expected: Math.min(1 << 20, bytes / 4000) })
    this.#queries = new Interner({ seed, expected: Math.min(1 << 24, bytes / 200) })
    this.#urls = new Interner({ seed, expected: Math.min(1 << 22, bytes / 1000) })
  }

  /** Takes over the block's buffers: its local ids become the log's ids and its lines count on from the last block. */
  add(block: ParsedBlock): void {
    renumber(block.user, adopt(this.#users, block.users))
    renumber(block.query, adopt(this.#queries, block.queries))
    renumber(block.url, adopt(this.#urls, block.urls))
    for (let i = 0; i < block.line.length; i++) block.line[i] += this.#lines
    this.#lines += block.lines
    this.rows += block.user.length
    this.#blocks.push(block)
  }

  finish(): SearchLog {
    const blocks = this.#blocks
    this.#blocks = []
    // Column by column, so that a column's pieces can go before the next column is joined.
    const joinInt32 = (name: "user" | "query" | "time" | "url") => {
      const whole = sharedInt32(this.rows)
      let at = 0
      for (const block of blocks) {
        whole.set(block[name], at)
        at += block[name].length
        block[name] = new Int32Array(0)
      }
      return whole
    }
    const user = joinInt32("user")
    const query = joinInt32("query")
    const time = joinInt32("time")
    const url = joinInt32("url")
    const rank = sharedUint16(this.rows)
    const line = sharedUint32(this.rows)
    let at = 0
    for (const block of blocks) {
      rank.set(block.rank, at)
      line.set(block.line, at)
      at += block.rank.length
    }
    blocks.length = 0
    const texts = { users: this.#users.freeze(), queries: this.#queries.freeze(), urls: this.#urls.freeze() }
    return closeLog({ user, query, time, rank, url, line }, texts)
  }
}

/** The log's id of every local entry. */
function adopt(interner: Interner, texts: ParsedTexts): Int32Array {
  const { arena, offsets, hashes } = texts
  const ids = new Int32Array(hashes.length)
  for (let from = 0; from < ids.length; from += warmBatch) {
    const to = Math.min(ids.length, from + warmBatch)
    interner.warm(hashes, from, to)
    for (let i = from; i < to; i++) ids[i] = interner.intern(arena, offsets[i], offsets[i + 1], hashes[i])
  }
  return ids
}

function renumber(column: Int32Array, ids: Int32Array): void {
  for (let i = 0; i < column.length; i++) if (column[i] >= 0) column[i] = ids[column[i]]
}

/** A log without rows: what a release with nothing in it reads as. */
export function emptyLog(): SearchLog {
  return new LogAssembler({ seed: 0, bytes: 0 }).finish()
}
