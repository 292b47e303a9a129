import type { LineBlock } from "../blocks.ts"
import { maxLineBytes } from "./parsed-block.ts"

const quote = 34
const lineFeed = 10
const carriageReturn = 13
const tab = 9
const space = 32

/**
 * Turns quoted text (RFC 4180) into plain tab-separated lines: delimiters become tabs, quotes go, doubled quotes become
 * one, and tabs and line breaks inside a field become spaces. A record that spans several lines is followed by as many
 * empty ones, so that line numbers stay those of the file. Keeps its place from block to block; give it the blocks of
 * one file in order, then `end`.
 */
export class Unquoter {
  readonly #delimiter: number
  #held = new Uint8Array(0) // an unfinished record of earlier blocks, converted
  #inQuotes = false
  #atFieldStart = true
  #afterQuote = false // a quote inside quotes: the end of the field, or the first of a doubled one
  #extraLines = 0
  #atLineEnd = true
  #pending = 0

  /** Bytes that were given since the end of the last record: a reader that stops here takes them up again. */
  get pending(): number {
    return this.#pending
  }

  constructor(delimiter: number) {
    this.#delimiter = delimiter
  }

  convert({ bytes, length }: LineBlock): LineBlock {
    // A line break inside quotes becomes two bytes, a space and an empty line; those of earlier blocks are still owed.
    const out = new Uint8Array(this.#held.length + 2 * length + this.#extraLines + 1)
    out.set(this.#held)
    let at = this.#held.length
    let recordStart = 0
    let recordEnd = -1 // behind the last record, in what was given
    const put = (byte: number) => {
      // Of a record that is too long only so much is kept that it is seen to be.
      if (at - recordStart <= maxLineBytes) out[at++] = byte
    }
    for (let i = 0; i < length; i++) {
      const byte = bytes[i]
      if (this.#inQuotes && !this.#afterQuote) {
        if (byte === quote) this.#afterQuote = true
        else if (byte === lineFeed) {
          this.#extraLines++
          put(space)
        } else put(byte === tab || byte === carriageReturn ? space : byte)
        continue
      }
      if (this.#afterQuote) {
        this.#afterQuote = false
        if (byte === quote) {
          put(quote)
          continue
        }
        this.#inQuotes = false
      }
      if (byte === this.#delimiter) {
        put(tab)
        this.#atFieldStart = true
      } else if (byte === lineFeed) {
        out[at++] = lineFeed
        for (; this.#extraLines > 0; this.#extraLines--) out[at++] = lineFeed
        recordStart = at
        recordEnd = i + 1
        this.#atFieldStart = true
      } else if (byte === quote && this.#atFieldStart) {
        this.#inQuotes = true
        this.#atFieldStart = false
      } else {
        if (byte > space) this.#atFieldStart = false
        put(byte === tab ? space : byte)
      }
    }
    if (length > 0) this.#atLineEnd = bytes[length - 1] === lineFeed
    this.#pending = recordEnd < 0 ? this.#pending + length : length - recordEnd
    this.#held = out.slice(recordStart, at)
    return { bytes: out, length: recordStart }
  }

  /** The last record, when it lacks its line feed. Lines behind a quote that is never closed become lines that are no rows. */
  *end(): Generator<LineBlock> {
    const lines = this.#extraLines + 1
    if (this.#inQuotes && !this.#afterQuote) {
      for (let left = this.#atLineEnd ? lines - 1 : lines; left > 0; left -= noRows) yield noRow(Math.min(left, noRows))
    } else if (!this.#atLineEnd) {
      const length = this.#held.length + lines
      const bytes = new Uint8Array(length + 1).fill(lineFeed)
      bytes.set(this.#held)
      yield { bytes, length }
    }
  }
}

const noRows = 1 << 20

/** So many lines that have one field, a quote. */
function noRow(lines: number): LineBlock {
  const bytes = new Uint8Array(2 * lines + 1).fill(lineFeed)
  for (let i = 0; i < lines; i++) bytes[2 * i] = quote
  return { bytes, length: 2 * lines }
}

const blockBytes = 4 << 20

/** Quoted text as blocks of plain lines, one record a line, however long the lines of the text are. */
export async function* unquoteLines(chunks: AsyncIterable<Uint8Array>, delimiter: number): AsyncGenerator<LineBlock> {
  const unquoter = new Unquoter(delimiter)
  for await (const bytes of gather(chunks)) {
    const block = unquoter.convert({ bytes, length: bytes.length })
    if (block.length > 0) yield block
  }
  yield* unquoter.end()
}

/** Small pieces in large ones. */
async function* gather(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let taken: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    taken.push(chunk)
    length += chunk.length
    if (length < blockBytes) continue
    yield Buffer.concat(taken)
    taken = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(taken)
}
