import { isUtf8 } from "node:buffer"
import { anyTimeReader, civilTimeReader, noTime } from "../../kernels/civil-time.ts"
import { mixHash, stepHash } from "../../kernels/dictionary.ts"
import { unknownRank } from "../search-log.ts"

const lineFeed = 10
const space = 32

/**
 * Scans one field whose text is kept, without the white space around it. Control characters inside it become spaces;
 * they are overwritten in the block. So no text of a log can break a line or a cell of a release. Every scanner stops
 * at the delimiter or the line feed. The block ends with a line feed, so no scanner checks the block's length.
 */
export class FieldScanner {
  start = 0
  end = 0
  hash = 0
  utf8 = true
  nul = false
  readonly #seed: number
  readonly #cleans: boolean

  /** `cleans`: the text will be kept, so its control characters become spaces. */
  constructor(options: { seed: number; cleans: boolean }) {
    this.#seed = options.seed
    this.#cleans = options.cleans
  }

  /** Returns the position where the field stops. */
  scan(bytes: Uint8Array, at: number, delimiter: number): number {
    const seed = this.#seed
    let i = at
    let hash = seed
    let seen = 0
    for (;;) {
      const byte = bytes[i]
      if (byte <= space) break
      seen |= byte
      hash = stepHash(hash, byte)
      i++
    }
    const stop = bytes[i]
    if (stop === delimiter || stop === lineFeed) {
      this.start = at
      this.end = i
      this.hash = mixHash(hash)
      this.nul = false
      this.utf8 = seen < 0x80 || isUtf8(bytes.subarray(at, i))
      return i
    }
    return this.#scanSpaced(bytes, at, delimiter)
  }

  /** `scan` for a field with white space or control characters in or around it. */
  #scanSpaced(bytes: Uint8Array, at: number, delimiter: number): number {
    let stop = at
    let nul = false
    while (bytes[stop] !== delimiter && bytes[stop] !== lineFeed) {
      if (bytes[stop] === 0) nul = true
      stop++
    }
    let start = at
    let end = stop
    while (start < end && bytes[start] <= space) start++
    while (end > start && bytes[end - 1] <= space) end--
    let hash = this.#seed
    for (let i = start; i < end; i++) {
      if (this.#cleans && bytes[i] < space) bytes[i] = space
      hash = stepHash(hash, bytes[i])
    }
    this.start = start
    this.end = end
    this.hash = mixHash(hash)
    this.nul = nul
    this.utf8 = isUtf8(bytes.subarray(start, end))
    return stop
  }
}

/** Reads a time. `seconds` is `noTime` if the field is not an accepted time. */
export class TimeScanner {
  seconds = 0
  nul = false
  /** Which times are accepted, as in a plan. */
  accepts: "civil" | "any" = "civil"
  readonly #field: FieldScanner
  readonly #readCivil = civilTimeReader()
  readonly #readAny = anyTimeReader()

  constructor(options: { seed: number }) {
    this.#field = new FieldScanner({ ...options, cleans: false })
  }

  /**
   * Nearly every time has exactly nineteen bytes. Those are read directly. Only if that fails is the end of the field
   * looked for.
   */
  scan(bytes: Uint8Array, at: number, delimiter: number): number {
    const stop = bytes[at + 19]
    this.nul = false
    this.seconds = stop === delimiter || stop === lineFeed ? this.#readCivil(bytes, at, at + 19) : noTime
    if (this.seconds !== noTime) return at + 19
    const field = this.#field
    const end = field.scan(bytes, at, delimiter)
    this.nul = field.nul
    this.seconds = (this.accepts === "any" ? this.#readAny : this.#readCivil)(bytes, field.start, field.end)
    return end
  }
}

/** Reads a rank. `value` is in [0, 65535), `unknownRank` if the field is empty, or -1 for anything else. */
export class RankScanner {
  value = unknownRank
  nul = false

  scan(bytes: Uint8Array, at: number, delimiter: number): number {
    let i = at
    let value = 0
    let readable = true
    let ended = false // true after the first space that follows the digits
    let digits = 0
    this.nul = false
    for (;;) {
      const byte = bytes[i]
      if (byte === delimiter || byte === lineFeed) break
      const digit = byte - 48
      if (digit >= 0 && digit <= 9 && value < unknownRank && !ended) {
        value = value * 10 + digit
        digits++
      } else if (byte > space) {
        readable = false
      } else {
        if (byte === 0) this.nul = true
        ended = digits > 0
      }
      i++
    }
    this.value = digits === 0 && readable ? unknownRank : readable && value < unknownRank ? value : -1
    return i
  }
}

/** Skips a field. */
export class SkipScanner {
  nul = false

  scan(bytes: Uint8Array, at: number, delimiter: number): number {
    let i = at
    this.nul = false
    for (;;) {
      const byte = bytes[i]
      if (byte === delimiter || byte === lineFeed) return i
      if (byte === 0) this.nul = true
      i++
    }
  }
}
