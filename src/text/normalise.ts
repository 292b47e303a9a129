import { isUtf8 } from "node:buffer"
import { hashBytes, mixHash, stepHash } from "../kernels/dictionary.ts"

/**
 * The normalised text of a query, as used everywhere: NFKC, lower case, white space and control characters collapsed to
 * single spaces, no space at either end. Idempotent: lower-casing can undo a composition, so the steps repeat until
 * nothing changes.
 */
export function normaliseQuery(text: string): string {
  let before = text
  for (let round = 0; round < 8; round++) {
    const after = before
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\p{White_Space}\p{Cc}]+/gu, " ")
      .replace(/^ | $/g, "")
    if (after === before) break
    before = after
  }
  return before
}

const lineFeed = 10
const space = 32
const del = 127

/**
 * `normaliseQuery` on the bytes of a field, with its hash. Plain ASCII never becomes a string. After `scan`, the text
 * is out[0, length) and `hash` is its hash with the seed.
 */
export class QueryScanner {
  out: Uint8Array = new Uint8Array(4096)
  length = 0
  hash = 0
  utf8 = true
  nul = false
  readonly #seed: number

  constructor(options: { seed: number }) {
    this.#seed = options.seed
  }

  /** Returns where the field stops: at the delimiter or the line feed. */
  scan(bytes: Uint8Array, at: number, delimiter: number): number {
    let out: Uint8Array = this.out
    let hash = this.#seed
    let length = 0
    let gap = false
    let i = at
    this.utf8 = true
    this.nul = false
    for (;;) {
      let byte = bytes[i]
      if (byte <= space || byte >= del) {
        if (byte === delimiter || byte === lineFeed) break
        if (byte > del) return this.#scanUnicode(bytes, at, delimiter)
        if (byte === 0) this.nul = true
        gap = length > 0
        i++
        continue
      }
      if (byte === delimiter) break
      if (length + 2 > out.length) out = this.#grow()
      if (gap) {
        hash = stepHash(hash, space)
        out[length++] = space
        gap = false
      }
      if (byte >= 0x41 && byte <= 0x5a) byte |= 0x20
      hash = stepHash(hash, byte)
      out[length++] = byte
      i++
    }
    this.length = length
    this.hash = mixHash(hash)
    return i
  }

  #scanUnicode(bytes: Uint8Array, at: number, delimiter: number): number {
    let stop = at
    while (bytes[stop] !== delimiter && bytes[stop] !== lineFeed) {
      if (bytes[stop] === 0) this.nul = true
      stop++
    }
    const field = bytes.subarray(at, stop)
    this.utf8 = isUtf8(field)
    this.length = 0
    if (!this.utf8) return stop
    const text = normaliseQuery(Buffer.from(field.buffer, field.byteOffset, field.byteLength).toString("utf8"))
    const encoded = Buffer.from(text)
    while (encoded.length > this.out.length) this.#grow()
    this.out.set(encoded)
    this.length = encoded.length
    this.hash = hashBytes(encoded, 0, encoded.length, this.#seed)
    return stop
  }

  #grow(): Uint8Array {
    const larger = new Uint8Array(this.out.length * 2)
    larger.set(this.out)
    this.out = larger
    return larger
  }
}
