import type { LineBlock } from "./blocks.ts"
import { maxLineBytes } from "./formats/parsed-block.ts"

const blockBytes = 1 << 20
const quote = 34
const backslash = 92
const comma = 44
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]
const lineFeed = 10
const space = 32

/**
 * Cuts the elements of a JSON array into blocks of lines, one element per line. The array may be written on one line or
 * spread over many. White space between tokens becomes a space; strings in JSON contain no line breaks. Anything after
 * the array, and anything that is not JSON, stays in the lines, and the parser refuses it. An element longer than
 * `maxLineBytes` keeps only as many bytes as show that it is too long.
 */
export async function* cutElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  const cutter = new ElementCutter()
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      at = cutter.cut(chunk, at)
      if (cutter.isFull()) yield cutter.take()
    }
  }
  const rest = cutter.take()
  if (rest.length > 0) yield rest
}

/** Follows the brackets and strings of an array, and collects its elements as lines. */
class ElementCutter {
  #block = new Uint8Array(blockBytes + maxLineBytes + 3)
  #length = 0
  #lineStart = 0
  #depth = 0 // 1: inside the array, between elements or in an element that is neither object nor array
  #inString = false
  #escaped = false

  /** Reads bytes from `from` on until a block is full. Returns the position after the last byte read. */
  cut(chunk: Uint8Array, from: number): number {
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i]
      if (this.#inString) this.#readString(byte)
      else if (byte > space) {
        this.#readToken(byte)
        if (this.isFull()) return i + 1
      } else if (this.#length > this.#lineStart) this.#put(space)
    }
    return chunk.length
  }

  isFull(): boolean {
    return this.#length === this.#lineStart && this.#length >= blockBytes
  }

  /** The lines collected since the last call. */
  take(): LineBlock {
    const block = { bytes: this.#block, length: this.#length }
    this.#block = new Uint8Array(blockBytes + maxLineBytes + 3)
    this.#length = 0
    this.#lineStart = 0
    return block
  }

  #readString(byte: number): void {
    this.#put(Math.max(byte, space))
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) this.#inString = false
  }

  #readToken(byte: number): void {
    if (byte === openBracket || byte === openBrace) {
      if (this.#depth++ > 0) this.#put(byte)
    } else if (byte === closeBracket || byte === closeBrace) {
      if (--this.#depth > 0) this.#put(byte)
      else {
        this.#endLine()
        this.#depth = 0
      }
    } else if (byte === comma && this.#depth === 1) {
      this.#endLine()
    } else {
      this.#inString = byte === quote
      this.#put(byte)
    }
  }

  #put(byte: number): void {
    if (this.#length - this.#lineStart <= maxLineBytes) this.#block[this.#length++] = byte
  }

  #endLine(): void {
    if (this.#length === this.#lineStart) return
    this.#block[this.#length++] = lineFeed
    this.#lineStart = this.#length
  }
}
