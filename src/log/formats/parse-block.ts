import { anyTimeReader, civilTimeReader, noTime } from "../../kernels/civil-time.ts"
import { Interner } from "../../kernels/dictionary.ts"
import { QueryScanner } from "../../text/normalise.ts"
import { unknownRank } from "../search-log.ts"
import { FieldScanner, RankScanner, SkipScanner } from "./field-scanner.ts"
import {
  type LinePlan,
  maxFieldBytes,
  maxLineBytes,
  type ParsedBlock,
  type ParsedTexts,
  reasonCode,
  rejectMark,
  type TextBlock,
} from "./parsed-block.ts"

const lineFeed = 10
const space = 32

const fieldKinds = { skip: 0, user: 1, query: 2, time: 3, rank: 4, url: 5, key: 6, category: 7 } as const

/** Parses blocks of delimited lines. Keeps its tables from block to block. One per thread and seed. */
export class BlockParser {
  readonly seed: number
  readonly #users: BlockTexts
  readonly #queries: BlockTexts
  readonly #urls: BlockTexts
  readonly #keys: BlockTexts
  readonly #categories: BlockTexts
  readonly #query: QueryScanner
  readonly #user: FieldScanner
  readonly #time: FieldScanner
  readonly #url: FieldScanner
  readonly #key: FieldScanner
  readonly #category: FieldScanner
  readonly #rank = new RankScanner()
  readonly #skip = new SkipScanner()
  readonly #readCivilTime = civilTimeReader()
  readonly #readAnyTime = anyTimeReader()

  constructor(options: { seed: number }) {
    this.seed = options.seed
    this.#users = new BlockTexts(options)
    this.#queries = new BlockTexts(options)
    this.#urls = new BlockTexts(options)
    this.#keys = new BlockTexts(options)
    this.#categories = new BlockTexts(options)
    this.#query = new QueryScanner(options)
    this.#user = new FieldScanner({ ...options, cleans: true })
    this.#time = new FieldScanner({ ...options, cleans: false })
    this.#url = new FieldScanner({ ...options, cleans: true })
    this.#key = new FieldScanner({ ...options, cleans: true })
    this.#category = new FieldScanner({ ...options, cleans: true })
  }

  /** The rows of a block. Writes a line feed after the last byte; the block has room for it. */
  parse({ bytes, length, plan, skipLines }: TextBlock): ParsedBlock {
    const { columns, delimiter, minFields, maxFields } = plan
    const kinds = kindsOf(plan)
    const readTime = plan.times === "any" ? this.#readAnyTime : this.#readCivilTime
    const query = this.#query
    const user = this.#user
    const time = this.#time
    const rank = this.#rank
    const url = this.#url
    const key = this.#key
    const category = this.#category
    const skip = this.#skip
    const { category: categoryField = -1 } = columns
    const keyed = plan.key !== undefined
    const converted = plan.conversion !== undefined || plan.converted === true
    const rows = new RowBuffer(Math.max(16, Math.ceil(length / 40)), {
      keyed,
      categorised: categoryField >= 0,
    })
    const rejectLine: number[] = []
    const rejectReason: number[] = []
    let lines = 0
    bytes[length] = lineFeed

    for (let at = 0; at < length; at++) {
      const lineStart = at
      let fields = 0
      let nul = false
      let changed = false // by normalisation or trimming
      let seconds = 0
      // Every byte is read once: each field is scanned up to its delimiter by the scanner of its kind.
      for (; ; at++) {
        const kind = fields < maxFields ? kinds[fields] : fieldKinds.skip
        fields++
        const start = at
        if (kind === fieldKinds.query) {
          at = query.scan(bytes, at, delimiter)
          nul ||= query.nul
          if (plan.verbatim) changed ||= !sameText(bytes, start, at, query)
        } else if (kind === fieldKinds.user) {
          at = user.scan(bytes, at, delimiter)
          nul ||= user.nul
          changed ||= user.end - user.start !== at - start
        } else if (kind === fieldKinds.time) {
          // Nearly every time has exactly nineteen bytes. Read those directly, and look for the end of the field only
          // if that fails.
          const stop = bytes[at + 19]
          seconds = stop === delimiter || stop === lineFeed ? this.#readCivilTime(bytes, at, at + 19) : noTime
          if (seconds === noTime) {
            at = time.scan(bytes, at, delimiter)
            nul ||= time.nul
            seconds = readTime(bytes, time.start, time.end)
          } else {
            at += 19
          }
        } else if (kind === fieldKinds.url) {
          at = url.scan(bytes, at, delimiter)
          nul ||= url.nul
          changed ||= url.end - url.start !== at - start
        } else if (kind === fieldKinds.rank) {
          at = rank.scan(bytes, at, delimiter)
          nul ||= rank.nul
        } else if (kind === fieldKinds.key) {
          at = key.scan(bytes, at, delimiter)
          nul ||= key.nul
        } else if (kind === fieldKinds.category) {
          at = category.scan(bytes, at, delimiter)
          nul ||= category.nul
          changed ||= category.end - category.start !== at - start
        } else {
          at = skip.scan(bytes, at, delimiter)
          nul ||= skip.nul
        }
        if (bytes[at] === lineFeed) break
      }
      lines++
      if (lines <= skipLines) continue
      if (fields === 1 && isBlank(bytes, lineStart, at)) continue

      let reason = -1
      // A record of what happened after a search has the search's key and no query text.
      const hasKey = keyed && key.start < key.end
      const follows =
        hasKey && query.length === 0 && isEmptyField(bytes, lineStart, { delimiter, field: columns.query })
      if (converted && bytes[lineStart] === rejectMark) reason = bytes[lineStart + 1] - 48
      else if (at - lineStart > maxLineBytes) reason = reasonCode.length
      else if (nul) reason = reasonCode.nul
      else if (fields < minFields || fields > maxFields) reason = reasonCode.columns
      else if (isTooLong(columns, fields, { user, query, url })) reason = reasonCode.length
      else if (columns.user >= 0 && !user.utf8) reason = reasonCode.encoding
      else if (columns.user >= 0 && user.start === user.end && !hasKey) reason = reasonCode.user
      else if (!query.utf8) reason = reasonCode.encoding
      else if (plan.verbatim && changed) reason = reasonCode.text
      else if (query.length === 0 && !follows) reason = reasonCode.query
      else if (seconds === noTime) reason = reasonCode.time
      else if (columns.rank >= 0 && columns.rank < fields && rank.value < 0) reason = reasonCode.rank
      else if (columns.url >= 0 && columns.url < fields && !url.utf8) reason = reasonCode.encoding
      else if (categoryField >= 0 && categoryField < fields && !category.utf8) reason = reasonCode.encoding
      if (reason >= 0) {
        rejectLine.push(lines)
        rejectReason.push(reason)
        continue
      }

      // Texts are interned last, when nothing can reject the line any more, so a dictionary contains only texts of kept
      // rows.
      const row = rows.next()
      const clicked = columns.url >= 0 && columns.url < fields && url.start < url.end
      const named = columns.user >= 0 && user.start < user.end
      rows.user[row] = named ? this.#users.intern(bytes, user.start, user.end, user.hash) : -1
      rows.query[row] = follows ? -1 : this.#queries.intern(query.out, 0, query.length, query.hash)
      rows.time[row] = seconds
      rows.rank[row] = columns.rank >= 0 && columns.rank < fields ? rank.value : unknownRank
      rows.url[row] = clicked ? this.#urls.intern(bytes, url.start, url.end, url.hash) : -1
      rows.line[row] = lines
      if (categoryField >= 0) {
        const isThere = categoryField < fields && category.start < category.end
        rows.category[row] = isThere ? this.#categories.intern(bytes, category.start, category.end, category.hash) : -1
      }
      if (keyed) rows.key[row] = hasKey ? this.#keys.intern(bytes, key.start, key.end, key.hash) : -1
    }

    const { key: keys, category: categories, ...columnsOfRows } = rows.take()
    return {
      ...columnsOfRows,
      users: this.#users.take(),
      queries: this.#queries.take(),
      urls: this.#urls.take(),
      ...(categoryField >= 0 ? { categories: { category: categories, texts: this.#categories.take() } } : {}),
      ...(keyed ? { joins: { key: keys, keys: this.#keys.take() } } : {}),
      lines,
      rejectLine: Uint32Array.from(rejectLine),
      rejectReason: Uint8Array.from(rejectReason),
    }
  }
}

function sameText(bytes: Uint8Array, start: number, end: number, { out, length }: QueryScanner): boolean {
  if (end - start !== length) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== out[i]) return false
  return true
}

function isTooLong(
  columns: LinePlan["columns"],
  fields: number,
  { user, query, url }: { user: FieldScanner; query: QueryScanner; url: FieldScanner },
): boolean {
  if (query.length > maxFieldBytes) return true
  if (columns.user >= 0 && user.end - user.start > maxFieldBytes) return true
  return columns.url >= 0 && columns.url < fields && url.end - url.start > maxFieldBytes
}

/** The kind of each field of a line. */
function kindsOf({ columns, key, maxFields }: LinePlan): Uint8Array {
  const kinds = new Uint8Array(maxFields)
  if (key !== undefined) kinds[key] = fieldKinds.key
  for (const name of ["user", "query", "time", "rank", "url", "category"] as const) {
    const { [name]: field = -1 } = columns
    if (field >= 0) kinds[field] = fieldKinds[name]
  }
  return kinds
}

/** True if a field is completely empty. A text that normalisation empties does not count as empty. */
function isEmptyField(bytes: Uint8Array, start: number, place: { delimiter: number; field: number }): boolean {
  const { delimiter, field } = place
  let at = start
  for (let i = 0; i < field; i++) at = bytes.indexOf(delimiter, at) + 1
  return bytes[at] === delimiter || bytes[at] === lineFeed
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] > space || bytes[i] === 0) return false
  return true
}

/** Columns that grow as rows are added. */
class RowBuffer {
  user: Int32Array
  query: Int32Array
  time: Int32Array
  rank: Uint16Array
  url: Int32Array
  line: Uint32Array
  /** Empty unless `keyed`. */
  key: Int32Array
  /** Empty unless `categorised`. */
  category: Int32Array
  #rows = 0

  constructor(capacity: number, { keyed, categorised }: { keyed: boolean; categorised: boolean }) {
    this.user = new Int32Array(capacity)
    this.query = new Int32Array(capacity)
    this.time = new Int32Array(capacity)
    this.rank = new Uint16Array(capacity)
    this.url = new Int32Array(capacity)
    this.line = new Uint32Array(capacity)
    this.key = new Int32Array(keyed ? capacity : 0)
    this.category = new Int32Array(categorised ? capacity : 0)
  }

  /** The index of a new row. */
  next(): number {
    if (this.#rows === this.user.length) {
      const capacity = this.#rows * 2
      this.user = grown(this.user, new Int32Array(capacity))
      this.query = grown(this.query, new Int32Array(capacity))
      this.time = grown(this.time, new Int32Array(capacity))
      this.rank = grown(this.rank, new Uint16Array(capacity))
      this.url = grown(this.url, new Int32Array(capacity))
      this.line = grown(this.line, new Uint32Array(capacity))
      if (this.key.length > 0) this.key = grown(this.key, new Int32Array(capacity))
      if (this.category.length > 0) this.category = grown(this.category, new Int32Array(capacity))
    }
    return this.#rows++
  }

  take() {
    const rows = this.#rows
    return {
      user: this.user.slice(0, rows),
      query: this.query.slice(0, rows),
      time: this.time.slice(0, rows),
      rank: this.rank.slice(0, rows),
      url: this.url.slice(0, rows),
      line: this.line.slice(0, rows),
      key: this.key.slice(0, rows),
      category: this.category.slice(0, rows),
    }
  }
}

function grown<A extends Int32Array | Uint32Array | Uint16Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}

/** Interns the texts of one block. Keeps their hashes for the thread that joins the blocks. */
class BlockTexts {
  readonly #interner: Interner
  #hashes = new Uint32Array(1024)

  constructor(options: { seed: number }) {
    this.#interner = new Interner({ seed: options.seed, expected: 4096 })
  }

  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const before = this.#interner.size
    const id = this.#interner.intern(bytes, start, end, hash)
    if (id === before) {
      if (id === this.#hashes.length) this.#hashes = grown(this.#hashes, new Uint32Array(id * 2))
      this.#hashes[id] = hash
    }
    return id
  }

  /** Returns copies of exactly the size used, and empties the interner. */
  take(): ParsedTexts {
    const { arena, offsets, size } = this.#interner
    const texts = {
      arena: arena.slice(0, offsets[size]),
      offsets: offsets.slice(0, size + 1),
      hashes: this.#hashes.slice(0, size),
    }
    this.#interner.clear()
    return texts
  }
}
