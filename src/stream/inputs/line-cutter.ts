import { maxLineBytes } from "../../log/formats/parsed-block.ts"

const lineFeed = 10

/** Maximum number of bytes of one batch. */
export const batchBytes = 4 << 20

/** Complete lines in a buffer of their own, with room for one more byte. */
export interface CutLines {
  bytes: Uint8Array
  length: number
  /** Bytes of the source up to the end of these lines. */
  end: number
}

/**
 * Cuts arriving bytes into complete lines, which can be taken at any moment, not only when a block is full. Of a line
 * longer than `maxLineBytes` only the first `maxLineBytes` + 1 bytes are kept. That is enough to see that it is too
 * long, and the whole line is never held.
 */
export class LineCutter {
  #block = new Uint8Array(batchBytes + 1)
  #length = 0
  #lineStart = 0 // of the incomplete line in the block
  #skipping = false // skipping the rest of a line that is too long
  #read: number
  #lineRead: number // where the incomplete line begins in the source

  constructor(start = 0) {
    this.#read = start
    this.#lineRead = start
  }

  /** True if lines must be taken before more bytes can be added. */
  get full(): boolean {
    return this.#length === batchBytes
  }

  /** Adds as many bytes as there is room for, and returns their number. */
  add(chunk: Uint8Array): number {
    let at = 0
    if (this.#skipping) {
      const end = chunk.indexOf(lineFeed)
      at = end < 0 ? chunk.length : end
      this.#skipping = end < 0
    }
    const taken = chunk.subarray(at, at + batchBytes - this.#length)
    this.#block.set(taken, this.#length)
    const lastFeed = taken.lastIndexOf(lineFeed)
    this.#read += at + taken.length
    if (lastFeed >= 0) {
      this.#lineStart = this.#length + lastFeed + 1
      this.#lineRead = this.#read - (taken.length - lastFeed - 1)
    }
    this.#length += taken.length
    if (this.#length - this.#lineStart > maxLineBytes + 1) {
      this.#length = this.#lineStart + maxLineBytes + 1
      this.#skipping = true
    }
    return at + taken.length
  }

  /** The complete lines so far; undefined if there are none. */
  take(): CutLines | undefined {
    const length = this.#lineStart
    if (length === 0) return undefined
    const rest = this.#block.slice(length, this.#length)
    const bytes = this.#hand(length)
    this.#block.set(rest)
    this.#length = rest.length
    this.#lineStart = 0
    return { bytes, length, end: this.#lineRead }
  }

  /** The remaining line without a line feed, after the complete lines were taken; undefined if there is none. */
  takePartialLine(): CutLines | undefined {
    const length = this.#length
    if (length === 0) return undefined
    const bytes = this.#hand(length)
    this.#length = 0
    this.#lineRead = this.#read
    return { bytes, length, end: this.#read }
  }

  /**
   * A block that is at least half full is handed over as it is. Fewer bytes are copied, so that they do not carry a
   * large buffer.
   */
  #hand(length: number): Uint8Array {
    if (length < batchBytes / 2) {
      const bytes = new Uint8Array(length + 1)
      bytes.set(this.#block.subarray(0, length))
      return bytes
    }
    const bytes = this.#block
    this.#block = new Uint8Array(batchBytes + 1)
    return bytes
  }
}
