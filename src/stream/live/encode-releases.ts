import { civilTimeWriter } from "../../kernels/civil-time.ts"
import { pseudonymBytes } from "../../kernels/pseudonyms.ts"
import { textFormats } from "../../log/formats/row-format.ts"
import { unknownRank } from "../../log/search-log.ts"
import { type LiveRecords, queryLengthAt, rankAt, stride, urlLengthAt } from "./live-records.ts"
import type { StreamSettings } from "./settings.ts"
import { UserNames } from "./user-names.ts"

const timeBytes = 19
const longestNumber = 20
const timeUnits = { hour: 3600, day: 86400, exact: 1, own: 1, drop: 0 }

/** Column names: those of the AOL log in tables, plain ones in JSON. */
const columnNames = {
  tsv: {
    seq: "Seq",
    user: "AnonID",
    query: "Query",
    time: "QueryTime",
    rank: "ItemRank",
    url: "ClickURL",
    category: "Category",
  },
  jsonl: { seq: "seq", user: "user", query: "query", time: "time", rank: "rank", url: "url", category: "category" },
} as const

type Column = keyof (typeof columnNames)["tsv"]

/** Encoded records one after another, and where each ends. */
export interface EncodedRecords {
  bytes: Uint8Array
  ends: Uint32Array
}

/** Encodes released records under the column policy. The bytes depend only on its arguments and the key. */
export class ReleaseEncoder {
  readonly #records: LiveRecords
  readonly #names: UserNames
  readonly #writeTime = civilTimeWriter()
  #columns: Column[] = []
  #before: Buffer[] = []
  #format = textFormats.tsv
  #empty = Buffer.alloc(0)
  #quote = Buffer.alloc(0)
  #end = Buffer.alloc(0)
  #overhead = 0
  #timeUnit = 0
  #keepsUsers = false
  readonly #pathOf: (category: number) => string
  readonly #paths = new Map<number, Buffer>()
  #showsCategory = false
  #out = new Uint8Array(1 << 16)
  #at = 0
  /** Where each record ends in `#out`. */
  #ends = new Uint32Array(1 << 10)
  #count = 0

  constructor(
    records: LiveRecords,
    options: { key: Buffer; cellScope?: string | undefined; pathOf: (category: number) => string },
  ) {
    this.#records = records
    this.#pathOf = options.pathOf
    this.#names = new UserNames(records, options)
  }

  /** Sets the settings until the next call. */
  use(settings: StreamSettings): void {
    const format = textFormats[settings.to]
    const names = columnNames[settings.to]
    this.#columns = shownColumns(settings)
    this.#before = this.#columns.map((column, position) => Buffer.from(format.before(names[column], position)))
    this.#format = format
    this.#empty = Buffer.from(format.empty)
    this.#quote = Buffer.from(format.quote)
    this.#end = Buffer.from(format.end)
    this.#overhead = this.#before.reduce(
      (sum, { length }) => sum + length + 2 * this.#quote.length + this.#empty.length,
      this.#end.length,
    )
    this.#timeUnit = timeUnits[settings.time]
    this.#keepsUsers = settings.users === "keep"
    this.#showsCategory = settings.category === true
    this.#names.use(settings.users)
  }

  /** The header before the first record. */
  header(): Buffer {
    const names = this.#format === textFormats.tsv ? columnNames.tsv : columnNames.jsonl
    return Buffer.from(this.#format.header(this.#columns.map((column) => names[column])))
  }

  /** The records put next belong to the cell with this number, which is unique in the store. */
  openCell(number: number): void {
    this.#names.openCell(number)
  }

  /**
   * Encodes one release. The parameters are positional because creating an object per call would cost more than the
   * rest.
   */
  put(slot: number, as: number, time: number, seq: number, category: number): void {
    const { users, user: owner, words, arena } = this.#records
    const user = owner[as * stride]
    const query = this.#records.start(slot)
    const url = query + words[slot * stride + queryLengthAt]
    const end = url + words[slot * stride + urlLengthAt]
    const clicked = end > url
    let longest = end - query + pseudonymBytes + timeBytes + 2 * longestNumber
    if (this.#keepsUsers) longest += users.length(user)
    const path = this.#showsCategory ? this.#pathBytes(category) : this.#end
    longest += path.length
    this.#reserve(longest * this.#format.growth + this.#overhead)
    const out = this.#out
    for (let c = 0; c < this.#columns.length; c++) {
      this.#copy(this.#before[c])
      switch (this.#columns[c]) {
        case "seq":
          this.#number(seq)
          break
        case "user":
          if (this.#keepsUsers) this.#text(users.arena, users.start(user), users.start(user) + users.length(user))
          else {
            this.#text(this.#names.find(user, time), 0, pseudonymBytes)
          }
          break
        case "query":
          this.#text(arena, query, url)
          break
        case "time":
          this.#copy(this.#quote)
          this.#writeTime(out, this.#at, Math.floor(time / this.#timeUnit) * this.#timeUnit)
          this.#at += timeBytes
          this.#copy(this.#quote)
          break
        case "rank":
          if (clicked && words[slot * stride + rankAt] !== unknownRank) this.#number(words[slot * stride + rankAt])
          else this.#copy(this.#empty)
          break
        case "url":
          if (clicked) this.#text(arena, url, end)
          else this.#copy(this.#empty)
          break
        case "category":
          this.#text(path, 0, path.length)
          break
      }
    }
    this.#copy(this.#end)
    if (this.#count === this.#ends.length) this.#ends = growUint32(this.#ends)
    this.#ends[this.#count++] = this.#at
  }

  /** Returns the records so far. The caller owns them. */
  take(): EncodedRecords {
    const records = { bytes: this.#out.slice(0, this.#at), ends: this.#ends.slice(0, this.#count) }
    this.#at = 0
    this.#count = 0
    return records
  }

  #pathBytes(category: number): Buffer {
    const known = this.#paths.get(category)
    if (known !== undefined) return known
    const path = Buffer.from(this.#pathOf(category))
    this.#paths.set(category, path)
    return path
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#out.length) return
    const larger = new Uint8Array(Math.max(this.#out.length * 2, this.#at + more))
    larger.set(this.#out)
    this.#out = larger
  }

  #copy(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) this.#out[this.#at++] = bytes[i]
  }

  #text(arena: Uint8Array, from: number, to: number): void {
    this.#copy(this.#quote)
    this.#at = this.#format.escape(arena, from, to, this.#out, this.#at)
    this.#copy(this.#quote)
  }

  #number(value: number): void {
    let divisor = 1
    while (divisor * 10 <= value) divisor *= 10
    for (let rest = value; divisor >= 1; divisor = Math.floor(divisor / 10)) {
      const digit = Math.floor(rest / divisor)
      rest -= digit * divisor
      this.#out[this.#at++] = 48 + digit
    }
  }
}

function growUint32(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}

/** The columns of releases under these settings, in order. */
export function shownColumns({ numbered, users, time, urls, category }: StreamSettings): Column[] {
  const columns: Column[] = numbered ? ["seq"] : []
  if (users !== "drop") columns.push("user")
  columns.push("query")
  if (time !== "drop") columns.push("time")
  if (urls === "keep") columns.push("rank", "url")
  if (category === true) columns.push("category")
  return columns
}
