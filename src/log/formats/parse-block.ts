import { noTime } from "../../kernels/civil-time.ts"
import { Interner } from "../../kernels/dictionary.ts"
import { QueryScanner } from "../../text/normalise.ts"
import { unknownRank } from "../search-log.ts"
import { FieldScanner, RankScanner, SkipScanner, TimeScanner } from "./field-scanner.ts"
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
  readonly #time: TimeScanner
  readonly #url: FieldScanner
  readonly #key: FieldScanner
  readonly #category: FieldScanner
  readonly #rank = new RankScanner()
  readonly #skip = new SkipScanner()
  /** What is known of the line that was scanned last. `changed`: by normalisation or trimming. */
  readonly #line = { number: 0, start: 0, end: 0, fields: 0, nul: false, changed: false }

  constructor(options: { seed: number }) {
    this.seed = options.seed
    this.#users = new BlockTexts(options)
    this.#queries = new BlockTexts(options)
    this.#urls = new BlockTexts(options)
    this.#keys = new BlockTexts(options)
    this.#categories = new BlockTexts(options)
    this.#query = new QueryScanner(options)
    this.#user = new FieldScanner({ ...options, cleans: true })
    this.#time = new TimeScanner(options)
    this.#url = new FieldScanner({ ...options, cleans: true })
    this.#key = new FieldScanner({ ...options, cleans: true })
    this.#category = new FieldScanner({ ...options, cleans: true })
  }

  /** The rows of a block. Writes a line feed after the last byte; the block has room for it. */
  parse({ bytes, length, plan, skipLines }: TextBlock): ParsedBlock {
    const layout = layOutLines(plan)
    const { keyed, categoryField } = layout
    const rows = new RowBuffer(Math.max(16, Math.ceil(length / 40)), { keyed, categorised: categoryField >= 0 })
    const rejectLine: number[] = []
    const rejectReason: number[] = []
    const line = this.#line
    let lines = 0
    this.#time.accepts = plan.times ?? "civil"
    bytes[length] = lineFeed

    for (let at = 0; at < length; at++) {
      at = this.#scanLine(bytes, at, layout)
      lines++
      if (lines <= skipLines) continue
      if (line.fields === 1 && isBlank(bytes, line.start, at)) continue
      const reason = this.#findReason(bytes, layout)
      if (reason < 0) {
        line.number = lines
        this.#addRow(bytes, rows, layout)
      } else {
        rejectLine.push(lines)
        rejectReason.push(reason)
      }
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

  /**
   * Scans the line that starts here and returns its end. Every byte is read once: each field is scanned up to its
   * delimiter by the scanner of its kind.
   */
  #scanLine(bytes: Uint8Array, start: number, { kinds, delimiter, maxFields, verbatim }: LineLayout): number {
    const line = this.#line
    const query = this.#query
    const user = this.#user
    const time = this.#time
    const url = this.#url
    const rank = this.#rank
    const key = this.#key
    const category = this.#category
    const skip = this.#skip
    let at = start
    let fields = 0
    let nul = false
    let changed = false
    time.seconds = 0
    for (; ; at++) {
      const kind = fields < maxFields ? kinds[fields] : fieldKinds.skip
      fields++
      const fieldStart = at
      if (kind === fieldKinds.query) {
        at = query.scan(bytes, at, delimiter)
        nul ||= query.nul
        if (verbatim) changed ||= !sameText(bytes, fieldStart, at, query)
      } else if (kind === fieldKinds.user) {
        at = user.scan(bytes, at, delimiter)
        nul ||= user.nul
        changed ||= user.end - user.start !== at - fieldStart
      } else if (kind === fieldKinds.time) {
        at = time.scan(bytes, at, delimiter)
        nul ||= time.nul
      } else if (kind === fieldKinds.url) {
        at = url.scan(bytes, at, delimiter)
        nul ||= url.nul
        changed ||= url.end - url.start !== at - fieldStart
      } else if (kind === fieldKinds.rank) {
        at = rank.scan(bytes, at, delimiter)
        nul ||= rank.nul
      } else if (kind === fieldKinds.key) {
        at = key.scan(bytes, at, delimiter)
        nul ||= key.nul
      } else if (kind === fieldKinds.category) {
        at = category.scan(bytes, at, delimiter)
        nul ||= category.nul
        changed ||= category.end - category.start !== at - fieldStart
      } else {
        at = skip.scan(bytes, at, delimiter)
        nul ||= skip.nul
      }
      if (bytes[at] === lineFeed) break
    }
    line.start = start
    line.end = at
    line.fields = fields
    line.nul = nul
    line.changed = changed
    return at
  }

  /** Why the scanned line is not a row, as a code; -1 if it is one. */
  #findReason(bytes: Uint8Array, layout: LineLayout): number {
    const { columns, categoryField } = layout
    const { start, end, fields, nul, changed } = this.#line
    const query = this.#query
    const user = this.#user
    if (layout.converted && bytes[start] === rejectMark) return bytes[start + 1] - 48
    if (end - start > maxLineBytes) return reasonCode.length
    if (nul) return reasonCode.nul
    if (fields < layout.minFields || fields > layout.maxFields) return reasonCode.columns
    if (isTooLong(columns, fields, { user, query, url: this.#url })) return reasonCode.length
    if (columns.user >= 0 && !user.utf8) return reasonCode.encoding
    if (columns.user >= 0 && user.start === user.end && !this.#hasKey(layout)) return reasonCode.user
    if (!query.utf8) return reasonCode.encoding
    if (layout.verbatim && changed) return reasonCode.text
    if (query.length === 0 && !this.#isFollowUp(bytes, start, layout)) return reasonCode.query
    if (this.#time.seconds === noTime) return reasonCode.time
    if (isIn(columns.rank, fields) && this.#rank.value < 0) return reasonCode.rank
    if (isIn(columns.url, fields) && !this.#url.utf8) return reasonCode.encoding
    if (isIn(categoryField, fields) && !this.#category.utf8) return reasonCode.encoding
    return -1
  }

  #hasKey({ keyed }: LineLayout): boolean {
    return keyed && this.#key.start < this.#key.end
  }

  /** True for a record of what happened after a search: it has the search's key and no query text. */
  #isFollowUp(bytes: Uint8Array, start: number, layout: LineLayout): boolean {
    const { delimiter, columns } = layout
    return this.#hasKey(layout) && isEmptyField(bytes, start, { delimiter, field: columns.query })
  }

  /**
   * Adds the scanned line as a row. Texts are interned only now, when nothing can reject the line any more, so a
   * dictionary contains only texts of kept rows. A kept line without query text is a follow-up.
   */
  #addRow(bytes: Uint8Array, rows: RowBuffer, layout: LineLayout): void {
    const { columns, categoryField } = layout
    const { number, fields } = this.#line
    const row = rows.next()
    const user = this.#user
    const query = this.#query
    const url = this.#url
    const named = columns.user >= 0 && user.start < user.end
    const clicked = isIn(columns.url, fields) && url.start < url.end
    rows.user[row] = named ? this.#users.intern(bytes, user.start, user.end, user.hash) : -1
    rows.query[row] = query.length === 0 ? -1 : this.#queries.intern(query.out, 0, query.length, query.hash)
    rows.line[row] = number
    rows.time[row] = this.#time.seconds
    rows.rank[row] = isIn(columns.rank, fields) ? this.#rank.value : unknownRank
    rows.url[row] = clicked ? this.#urls.intern(bytes, url.start, url.end, url.hash) : -1
    if (categoryField >= 0) rows.category[row] = this.#internCategory(bytes, isIn(categoryField, fields))
    if (layout.keyed) {
      const key = this.#key
      rows.key[row] = key.start < key.end ? this.#keys.intern(bytes, key.start, key.end, key.hash) : -1
    }
  }

  #internCategory(bytes: Uint8Array, isThere: boolean): number {
    const category = this.#category
    if (!isThere || category.start === category.end) return -1
    return this.#categories.intern(bytes, category.start, category.end, category.hash)
  }
}

/** How the lines of a block are laid out: the plan, with what follows from it. */
interface LineLayout {
  columns: LinePlan["columns"]
  kinds: Uint8Array
  delimiter: number
  minFields: number
  maxFields: number
  categoryField: number
  keyed: boolean
  converted: boolean
  verbatim: boolean
}

function layOutLines(plan: LinePlan): LineLayout {
  const { columns, delimiter, minFields, maxFields } = plan
  return {
    columns,
    kinds: kindsOf(plan),
    delimiter,
    minFields,
    maxFields,
    categoryField: columns.category ?? -1,
    keyed: plan.key !== undefined,
    converted: plan.conversion !== undefined || plan.converted === true,
    verbatim: plan.verbatim === true,
  }
}

/** True if the plan has this field and the line reaches it. */
const isIn = (field: number, fields: number): boolean => field >= 0 && field < fields

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
