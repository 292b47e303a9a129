import { type Dictionary, hashBytes, Interner, warmBatch } from "../kernels/dictionary.ts"
import { gather, orderByKey, sortWithinRuns } from "../kernels/sort-segments.ts"
import { markDistinctSearches, type RepeatedLines } from "./collapse.ts"
import { selectRows } from "./filter-log.ts"
import type { ParsedBlock, ParsedTexts } from "./formats/parsed-block.ts"
import { GrowingRows } from "./growing-rows.ts"
import { type JoinedRows, joinClicks, rowsOf } from "./join-clicks.ts"
import { type LogColumns, numberEvents, type SearchLog, sharedInt32, type Unit } from "./search-log.ts"

type Texts = Pick<SearchLog, "unit" | "users" | "queries" | "urls" | "categories">

/**
 * Builds a log from columns. Sorts them in place by (user, time, query, rank, line) and numbers the events. A log
 * without a user column keeps its order, and each of its rows is one event. `sorted`: true if the columns are known to
 * be in order.
 */
export function closeLog(
  columns: LogColumns,
  { unit, users, queries, urls, categories }: Texts,
  { sorted = false }: { sorted?: boolean } = {},
): SearchLog {
  const { user, query, time, rank, url, line, category } = columns
  const texts = { unit, users, queries, urls, ...(categories && { categories }) }
  const carried = category === undefined ? [url] : [url, category]
  if (texts.users.size === 0) {
    const event = sharedInt32(user.length)
    for (let i = 0; i < event.length; i++) event[i] = i
    return { ...columns, ...texts, rows: user.length, events: user.length, event }
  }
  if (!sorted) {
    let grouped = true
    for (let i = 1; i < user.length && grouped; i++) grouped = user[i - 1] <= user[i]
    if (!grouped) {
      const order = orderByKey(user, texts.users.size)
      for (const column of [user, query, time, rank, line, ...carried]) gather(column, order)
    }
    sortWithinRuns(user, [time, query, rank, line], carried)
  }
  const event = numberEvents(columns)
  const events = event.length === 0 ? 0 : event[event.length - 1] + 1
  return { ...columns, ...texts, rows: user.length, events, event }
}

/** A log, and the lines that only a look at the whole log could reject or collapse. */
export interface AssembledLog {
  log: SearchLog
  rejected: JoinedRows["rejected"]
  /** Number of rows that repeat a search. */
  collapsed: number
}

const nothing: JoinedRows["rejected"] = { line: new Uint32Array(0), reason: new Uint8Array(0) }

/** Joins parsed blocks into one log. Blocks must come in the order of the input. */
export class LogAssembler {
  readonly #users: Interner
  readonly #queries: Interner
  readonly #urls: Interner
  readonly #keys: Interner
  readonly #categories: Interner
  readonly #unit: Unit
  readonly #rows: GrowingRows
  /** The keys and categories of the rows of each block that has them. */
  #keyed: { at: number; key: Int32Array }[] = []
  #categorised: { at: number; category: Int32Array }[] = []
  #lines = 0
  #repeated: RepeatedLines[] = []

  /** `bytes`: roughly how much text will come. Tables of the right size do not have to grow. */
  constructor(options: { seed: number; bytes: number; unit: Unit }) {
    const { seed, bytes, unit } = options
    this.#unit = unit
    this.#rows = new GrowingRows({ expected: bytes / 32 })
    this.#keys = new Interner({ seed })
    this.#categories = new Interner({ seed, shared: true })
    this.#users = new Interner({ seed, expected: Math.min(1 << 20, bytes / 4000), shared: true })
    this.#queries = new Interner({ seed, expected: Math.min(1 << 24, bytes / 200), shared: true })
    this.#urls = new Interner({ seed, expected: Math.min(1 << 22, bytes / 1000), shared: true })
  }

  /**
   * Adds the rows of a block. Its local ids become the log's ids. Its line numbers continue from the last block.
   */
  add(block: ParsedBlock, { collapseSeconds }: { collapseSeconds?: number | undefined } = {}): void {
    const { joins, categories } = block
    const ids = {
      user: adopt(this.#users, block.users),
      query: adopt(this.#queries, block.queries),
      url: adopt(this.#urls, block.urls),
    }
    const at = this.#rows.length
    this.#rows.add(block, { ids, lines: this.#lines, sorts: joins === undefined && categories === undefined })
    if (joins !== undefined) {
      renumber(joins.key, adopt(this.#keys, joins.keys))
      this.#keyed.push({ at, key: joins.key })
    }
    if (categories !== undefined) {
      renumber(categories.category, adopt(this.#categories, categories.texts))
      this.#categorised.push({ at, category: categories.category })
    }
    if (collapseSeconds !== undefined) {
      this.#repeated.push({ after: this.#lines, upTo: this.#lines + block.lines, seconds: collapseSeconds })
    }
    this.#lines += block.lines
  }

  finish(): AssembledLog {
    const key = this.#keyed.length > 0 ? this.#joinKeys() : undefined
    const category = this.#categories.size > 0 ? this.#joinCategories() : undefined
    const { columns: rows, sorted } = this.#rows.finish()
    const texts = {
      unit: this.#unit,
      users: this.#users.freeze(),
      queries: this.#queries.freeze(),
      urls: this.#urls.freeze(),
      ...(category && { categories: this.#categories.freeze() }),
    }
    const columns = { ...rows, ...(category && { category }) }
    if (key === undefined) return { rejected: nothing, ...this.#collapse(closeLog(columns, texts, { sorted })) }
    const { keep, rejected, repeated } = joinClicks(columns, key, { keys: this.#keys.size + 1 })
    const { log, collapsed } = this.#collapse(closeLog(...withoutUnused(selectRows(columns, keep), texts)))
    return { log, rejected, collapsed: repeated + collapsed }
  }

  /** The log without the rows that repeat a search. */
  #collapse(log: SearchLog): Pick<AssembledLog, "log" | "collapsed"> {
    if (this.#repeated.length === 0) return { log, collapsed: 0 }
    const keep = rowsOf(markDistinctSearches(log, mergeRanges(this.#repeated)))
    return { log: closeLog(selectRows(log, keep), log), collapsed: log.rows - keep.length }
  }

  /** The category of every row; -1 for a row without one. */
  #joinCategories(): Int32Array {
    const whole = sharedInt32(this.#rows.length).fill(-1)
    for (const { at, category } of this.#categorised) whole.set(category, at)
    this.#categorised = []
    return whole
  }

  /** The key of every row. A row without a key gets the number after the last key. */
  #joinKeys(): Int32Array {
    const none = this.#keys.size
    const whole = new Int32Array(this.#rows.length).fill(none)
    for (const { at, key } of this.#keyed) for (let i = 0; i < key.length; i++) if (key[i] >= 0) whole[at + i] = key[i]
    this.#keyed = []
    return whole
  }
}

function mergeRanges(ranges: readonly RepeatedLines[]): RepeatedLines[] {
  const merged: RepeatedLines[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last?.upTo === range.after && last.seconds === range.seconds) last.upTo = range.upTo
    else merged.push({ ...range })
  }
  return merged
}

/** The log of some rows, given in ascending order. Its dictionaries contain only texts that occur in these rows. */
export function narrowLog(log: SearchLog, rows: Uint32Array): SearchLog {
  return closeLog(...withoutUnused(selectRows(log, rows), log))
}

/**
 * Columns and texts without the texts that no row uses, so that a dictionary contains exactly what its log contains.
 */
function withoutUnused(columns: LogColumns, texts: Texts): [LogColumns, Texts] {
  const users = keepUsed(texts.users, columns.user)
  const queries = keepUsed(texts.queries, columns.query)
  const urls = keepUsed(texts.urls, columns.url)
  const { category } = columns
  const categories = category && texts.categories && keepUsed(texts.categories, category)
  return [columns, { ...texts, users, queries, urls, ...(categories && { categories }) }]
}

/** The texts that a column uses, in the order of their first row. Renumbers the column in place. */
function keepUsed(dictionary: Dictionary, column: Int32Array): Dictionary {
  const { arena, offsets } = dictionary.parts()
  const newId = new Int32Array(dictionary.size).fill(-1)
  const interner = new Interner({ expected: dictionary.size })
  for (let row = 0; row < column.length; row++) {
    const id = column[row]
    if (id < 0) continue
    if (newId[id] < 0) {
      const hash = hashBytes(arena, offsets[id], offsets[id + 1], interner.seed)
      newId[id] = interner.intern(arena, offsets[id], offsets[id + 1], hash)
    }
    column[row] = newId[id]
  }
  return interner.freeze()
}

/** The log's id of every local text. */
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

/** A log without rows. An empty release is read as this. */
export function emptyLog(): SearchLog {
  return new LogAssembler({ seed: 0, bytes: 0, unit: "user" }).finish().log
}
