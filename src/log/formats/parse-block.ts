import { noTime } from "../../kernels/civil-time.ts"
import { QueryScanner } from "../../text/normalise.ts"
import { unknownRank } from "../search-log.ts"
import { type BlockColumns, BlockTexts, RowBuffer } from "./block-columns.ts"
import { FieldScanner, RankScanner, SkipScanner, TimeScanner } from "./field-scanner.ts"
import {
  type LinePlan,
  maxFieldBytes,
  maxLineBytes,
  type ParsedBlock,
  reasonCode,
  rejectMark,
  type TextBlock,
} from "./parsed-block.ts"
import { mayBePlain, type PlainLines, plainLines } from "./plain-lines/plain-lines.ts"

const lineFeed = 10
const space = 32

const fieldKinds = { skip: 0, user: 1, query: 2, time: 3, rank: 4, url: 5, key: 6, category: 7 } as const

/** After a block whose lines are mostly not plain, this many are read without looking for plain lines. */
const blocksWithoutPlain = 8

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
  /**
   * What is known of the line that was scanned last. `changed`: by normalisation or trimming, or a number or a time is
   * written in another way than ours.
   */
  readonly #line = { number: 0, start: 0, end: 0, fields: 0, nul: false, changed: false }

  readonly #usesPlain: boolean
  /** Number of blocks to come in which plain lines are not looked for. */
  #withoutPlain = 0

  /** `plain`: false if no line is to be read by the faster reader of plain lines (default true). */
  constructor({ plain = true, ...options }: { seed: number; plain?: boolean }) {
    this.#usesPlain = plain
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
  parse(block: TextBlock): ParsedBlock {
    const { length, plan, skipLines } = block
    const layout = layOutLines(plan)
    const { keyed, categoryField } = layout
    const plain = this.#startPlain(block)
    const columns = plain ?? this.#ownColumns(length, layout)
    const bytes = plain?.bytes ?? block.bytes
    const rejectLine: number[] = []
    const rejectReason: number[] = []
    const line = this.#line
    let lines = 0
    let scanned = 0
    this.#time.accepts = plan.times ?? "civil"
    bytes[length] = lineFeed

    for (let at = 0; at < length; at++) {
      if (plain !== undefined && lines >= skipLines) {
        const read = plain.read(at, { length, lines })
        at = read.at
        lines = read.lines
        if (at >= length) break
      }
      at = this.#scanLine(bytes, at, layout)
      lines++
      scanned++
      if (lines <= skipLines) continue
      if (line.fields === 1 && !layout.verbatim && isBlank(bytes, line.start, at)) continue
      const reason = this.#findReason(bytes, layout)
      if (reason < 0) {
        line.number = lines
        this.#addRow(bytes, columns, layout)
      } else {
        rejectLine.push(lines)
        rejectReason.push(reason)
      }
    }

    this.#withoutPlain = plain !== undefined && scanned * 2 > lines ? blocksWithoutPlain : this.#withoutPlain - 1
    const { key: keys, category: categories, ...columnsOfRows } = columns.takeRows()
    return {
      ...columnsOfRows,
      users: columns.users.take(),
      queries: columns.queries.take(),
      urls: columns.urls.take(),
      ...(categoryField >= 0 ? { categories: { category: categories, texts: this.#categories.take() } } : {}),
      ...(keyed ? { joins: { key: keys, keys: this.#keys.take() } } : {}),
      lines,
      rejectLine: Uint32Array.from(rejectLine),
      rejectReason: Uint8Array.from(rejectReason),
    }
  }

  /** The reader of plain lines, if the block may have many. */
  #startPlain(block: TextBlock): PlainLines | undefined {
    if (!this.#usesPlain || this.#withoutPlain > 0 || !mayBePlain(block)) return undefined
    const plain = plainLines()
    plain.start(block)
    return plain
  }

  #ownColumns(length: number, { keyed, categoryField }: LineLayout): BlockColumns {
    const rows = new RowBuffer(Math.max(16, Math.ceil(length / 40)), { keyed, categorised: categoryField >= 0 })
    return { rows, users: this.#users, queries: this.#queries, urls: this.#urls, takeRows: () => rows.take() }
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
        changed ||= at - fieldStart !== timeLength
      } else if (kind === fieldKinds.url) {
        at = url.scan(bytes, at, delimiter)
        nul ||= url.nul
        changed ||= url.end - url.start !== at - fieldStart
      } else if (kind === fieldKinds.rank) {
        at = rank.scan(bytes, at, delimiter)
        nul ||= rank.nul
        if (verbatim) changed ||= at - fieldStart !== rankLength(rank.value)
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
  #addRow(bytes: Uint8Array, { rows, users, queries, urls }: BlockColumns, layout: LineLayout): void {
    const { columns, categoryField } = layout
    const { number, fields } = this.#line
    const row = rows.next()
    const user = this.#user
    const query = this.#query
    const url = this.#url
    const named = columns.user >= 0 && user.start < user.end
    const clicked = isIn(columns.url, fields) && url.start < url.end
    rows.user[row] = named ? users.intern(bytes, user.start, user.end, user.hash) : -1
    rows.query[row] = query.length === 0 ? -1 : queries.intern(query.out, 0, query.length, query.hash)
    rows.line[row] = number
    rows.time[row] = this.#time.seconds
    rows.rank[row] = isIn(columns.rank, fields) ? this.#rank.value : unknownRank
    rows.url[row] = clicked ? urls.intern(bytes, url.start, url.end, url.hash) : -1
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

/** Bytes of a time as `YYYY-MM-DD hh:mm:ss`. */
const timeLength = 19

/** Bytes of a rank without zeros before it or space around it. */
const rankLength = (rank: number): number => (rank === unknownRank ? 0 : String(rank).length)

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] > space || bytes[i] === 0) return false
  return true
}
