import { civilTimeWriter } from "../../kernels/civil-time.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { streamParallel } from "../../kernels/parallel.ts"
import { pseudonymBytes, writePseudonym } from "../../kernels/pseudonyms.ts"
import { type TextFormat, textFormats } from "../../log/formats/row-format.ts"
import { unknownRank } from "../../log/search-log.ts"
import type { ArrangedRows } from "../arrange-rows.ts"
import { releaseColumns } from "../column-policy.ts"

const timeBytes = 19

/** A range of rows to encode. */
export interface RowShard {
  rows: ArrangedRows
  format: TextFormat
  from: number
  to: number
}

const shardRows = 1 << 16
const worker = new URL("./encode.worker.js", import.meta.url)

/** The bytes of the file, in new chunks, encoded by workers. */
export async function* encodeRows(
  rows: ArrangedRows,
  format: TextFormat,
  context: RunContext,
): AsyncGenerator<Uint8Array> {
  const total = rows.order.length
  const shards = Array.from({ length: Math.ceil(total / shardRows) }, (_, i): RowShard => {
    return { rows, format, from: i * shardRows, to: Math.min(total, (i + 1) * shardRows) }
  })
  yield Buffer.from(textFormats[format].header(rows.columns.map((column) => releaseColumns[column])))
  let done = 0
  for await (const bytes of streamParallel<RowShard, Uint8Array>(worker, shards, context)) {
    yield bytes
    done = Math.min(total, done + shardRows)
    await yieldAndReport(context, { stage: "writing", done, total })
  }
}

/**
 * The bytes of a range of rows. Rows leave in random order, so nearly every access to the log misses the cache. The
 * accesses for a batch of rows are made together first, so that they wait together.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over cells, with one output
export function encodeShard({ rows, format: formatName, from: first, to: last }: RowShard): Uint8Array {
  const { log, users, queries, urls, categories, columns, order, group, names, timeUnit } = rows
  const format = textFormats[formatName]
  const before = columns.map((column, position) => Buffer.from(format.before(releaseColumns[column], position)))
  const quote = Buffer.from(format.quote)
  const empty = Buffer.from(format.empty)
  const end = Buffer.from(format.end)
  const showsUrl = columns.includes("url")
  const overhead = before.reduce((sum, { length }) => sum + length + 2 * quote.length + empty.length, end.length)
  const writeTime = civilTimeWriter()
  const name = new Uint8Array(pseudonymBytes)
  let nameOf = -1
  const batch = new RowBatch()

  // No other function changes these two, so they stay in registers.
  let out = new Uint8Array((last - first) * 80 + 1024)
  let at = 0
  for (let from = first; from < last; from += batchRows) {
    const count = Math.min(batchRows, last - from)
    batch.load(rows, { from, count, showsUrl })
    for (let i = 0; i < count; i++) {
      const row = order[from + i]
      const user = log.user[row]
      const clicked = batch.urlEnd[i] > batch.urlStart[i]
      let longest = batch.queryEnd[i] - batch.queryStart[i] + batch.urlEnd[i] - batch.urlStart[i]
      if (names === undefined && user >= 0) longest += users.offsets[user + 1] - users.offsets[user]
      const category = log.category?.[row] ?? -1
      if (categories !== undefined && category >= 0)
        longest += categories.offsets[category + 1] - categories.offsets[category]
      longest = (longest + pseudonymBytes + timeBytes + 5) * format.growth + overhead
      if (at + longest > out.length) {
        const larger = new Uint8Array(Math.max(out.length * 2, at + longest))
        larger.set(out)
        out = larger
      }
      for (let c = 0; c < columns.length; c++) {
        at = copy(before[c], out, at)
        switch (columns[c]) {
          case "user":
            at = copy(quote, out, at)
            if (names === undefined) {
              at = format.escape(users.arena, users.offsets[user], users.offsets[user + 1], out, at)
            } else {
              if (nameOf !== group[from + i]) {
                nameOf = group[from + i]
                writePseudonym(names, nameOf, name)
              }
              at = format.escape(name, 0, pseudonymBytes, out, at)
            }
            at = copy(quote, out, at)
            break
          case "query":
            at = copy(quote, out, at)
            at = format.escape(queries.arena, batch.queryStart[i], batch.queryEnd[i], out, at)
            at = copy(quote, out, at)
            break
          case "time":
            at = copy(quote, out, at)
            writeTime(out, at, timeUnit === 1 ? log.time[row] : Math.floor(log.time[row] / timeUnit) * timeUnit)
            at = copy(quote, out, at + timeBytes)
            break
          case "rank":
            if (clicked && log.rank[row] !== unknownRank) at = putNumber(out, at, log.rank[row])
            else at = copy(empty, out, at)
            break
          case "url":
            if (clicked) {
              at = copy(quote, out, at)
              at = format.escape(urls.arena, batch.urlStart[i], batch.urlEnd[i], out, at)
              at = copy(quote, out, at)
            } else {
              at = copy(empty, out, at)
            }
            break
          case "category":
            if (categories === undefined || category < 0) {
              at = copy(empty, out, at)
            } else {
              const { arena, offsets } = categories
              at = copy(quote, out, at)
              at = format.escape(arena, offsets[category], offsets[category + 1], out, at)
              at = copy(quote, out, at)
            }
            break
        }
      }
      at = copy(end, out, at)
    }
  }
  return out.subarray(0, at)
}

/** Copies a few bytes to `at`, and returns the position after them. */
function copy(bytes: Uint8Array, out: Uint8Array, at: number): number {
  for (let i = 0; i < bytes.length; i++) out[at + i] = bytes[i]
  return at + bytes.length
}

const batchRows = 256

/** Where the texts of a batch of rows are. Loading it also brings the columns and texts into the cache. */
class RowBatch {
  readonly queryStart = new Uint32Array(batchRows)
  readonly queryEnd = new Uint32Array(batchRows)
  readonly urlStart = new Uint32Array(batchRows)
  readonly urlEnd = new Uint32Array(batchRows)
  readonly #query = new Int32Array(batchRows)
  readonly #url = new Int32Array(batchRows)
  /** Keeps the reads that only fill the cache from being optimised away. */
  sink = 0

  load(
    { log, queries, urls, order, urlShown }: ArrangedRows,
    { from, count, showsUrl }: { from: number; count: number; showsUrl: boolean },
  ): void {
    let sink = 0
    for (let i = 0; i < count; i++) {
      const row = order[from + i]
      this.#query[i] = log.query[row]
      this.#url[i] = log.url[row]
      sink ^= log.user[row] ^ log.time[row] ^ log.rank[row]
    }
    for (let i = 0; i < count; i++) {
      const query = this.#query[i]
      const url = this.#url[i]
      const shown = showsUrl && url >= 0 && urlShown[url] === 1
      this.queryStart[i] = queries.offsets[query]
      this.queryEnd[i] = queries.offsets[query + 1]
      this.urlStart[i] = shown ? urls.offsets[url] : 0
      this.urlEnd[i] = shown ? urls.offsets[url + 1] : 0
    }
    for (let i = 0; i < count; i++) sink ^= queries.arena[this.queryStart[i]] ^ urls.arena[this.urlStart[i]]
    this.sink = sink
  }
}

/** Writes a rank, which has at most five digits. */
function putNumber(out: Uint8Array, at: number, value: number): number {
  if (value < 10) {
    out[at] = 48 + value
    return at + 1
  }
  let divisor = 1
  while (divisor * 10 <= value) divisor *= 10
  let o = at
  for (let rest = value; divisor >= 1; divisor = Math.floor(divisor / 10)) {
    const digit = Math.floor(rest / divisor)
    rest -= digit * divisor
    out[o++] = 48 + digit
  }
  return o
}
