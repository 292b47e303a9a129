import { maxLineBytes } from "../../log/formats/parsed-block.ts"

const lineFeed = 10

/** Most bytes of one batch. */
export const batchBytes = 4 << 20

/** Whole lines in a buffer of their own, with room for one more byte. */
export interface CutLines {
  bytes: Uint8Array
  length: number
  /** Bytes of the source up to the end of these lines. */
  end: number
}

/**
 * Cuts what arrives into whole lines that can be taken at any moment, not only when a block is full. Of a line longer than
 * `maxLineBytes` only the first `maxLineBytes` + 1 bytes are kept, so that it is seen to be too long without ever being held.
 */
export class LineCutter {
  #block = new Uint8Array(batchBytes + 1)
  #length = 0
  #lineStart = 0 // of the unfinished line in the block
  #skipping = false // the rest of a line that is too long
  #read: number
  #lineRead: number // where the unfinished line begins in the source

  constructor(start = 0) {
    this.#read = start
    this.#lineRead = start
  }

  /** Nothing more can be added before lines are taken. */
  get full(): boolean {
    return this.#length === batchBytes
  }

  /** Takes what it has room for, and says how many bytes that were. */
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

  /** The whole lines so far; undefined when there are none. */
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

  /** The line without a line feed that is left, once the whole ones were taken; undefined when there is none. */
  takeHalf(): CutLines | undefined {
    const length = this.#length
    if (length === 0) return undefined
    const bytes = this.#hand(length)
    this.#length = 0
    this.#lineRead = this.#read
    return { bytes, length, end: this.#read }
  }

  /** A block that is mostly full goes as it is; a few lines do not carry a large buffer with them. */
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
