const quote = 34
const backslash = 92
const comma = 44
const lineFeed = 10
const space = 32
const openArray = 91
const closeArray = 93
const openObject = 123
const closeObject = 125

/** Lines and their number. */
export interface Lines {
  bytes: Uint8Array
  lines: number
}

/**
 * The elements of a JSON array, or a single object, as lines, one element per line, without parsing them. Undefined if
 * the body is neither, is not closed, or continues after its end. The content of an element is left to the parser.
 */
export function elementLines(body: Uint8Array): Lines | undefined {
  const start = body.findIndex((byte) => byte > space)
  const isArray = body[start] === openArray
  if (!isArray && body[start] !== openObject) return undefined
  const writer = new ElementWriter(body, isArray)
  for (let at = start; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (byte <= space) writer.blank()
    else if (writer.isClosed) return undefined
    else if (byte === quote) at = writer.string(at)
    else if (byte === openArray || byte === openObject) writer.open(byte)
    else if (byte === closeArray || byte === closeObject) writer.close(byte)
    else if (byte === comma) writer.comma()
    else writer.put(byte)
  }
  return writer.isClosed ? writer.finish() : undefined
}

/** Writes the elements of a body as lines, without the brackets and commas of the array around them. */
class ElementWriter {
  /** True after the bracket that closes the body. */
  isClosed = false
  readonly #body: Uint8Array
  readonly #isArray: boolean
  readonly #out: Uint8Array
  #depth = 0
  #length = 0
  #lineStart = 0
  #lines = 0

  constructor(body: Uint8Array, isArray: boolean) {
    this.#body = body
    this.#isArray = isArray
    this.#out = new Uint8Array(body.length + 1)
  }

  put(byte: number): void {
    this.#out[this.#length++] = byte
  }

  open(byte: number): void {
    if (this.#depth++ > 0 || !this.#isArray) this.put(byte)
  }

  close(byte: number): void {
    this.isClosed = --this.#depth === 0
    if (!this.isClosed || !this.#isArray) this.put(byte)
    if (this.isClosed && this.#length > this.#lineStart) this.#endLine()
  }

  comma(): void {
    if (this.#depth === 1 && this.#isArray) this.#endLine()
    else this.put(comma)
  }

  /** A space for white space, except at the start of a line. */
  blank(): void {
    if (this.#length > this.#lineStart) this.put(space)
  }

  /** Copies the string that opens at `start`, with spaces for control characters. Returns where it closes. */
  string(start: number): number {
    const last = closingQuote(this.#body, start)
    for (let at = start; at <= last; at++) this.put(Math.max(this.#body[at] ?? 0, space))
    return last
  }

  #endLine(): void {
    this.put(lineFeed)
    this.#lineStart = this.#length
    this.#lines++
  }

  finish(): Lines {
    return { bytes: this.#out.subarray(0, this.#length), lines: this.#lines }
  }
}

/** Position of the quote that closes the string opened at `start`, or of the last byte if none does. */
function closingQuote(body: Uint8Array, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === backslash) at++
    else if (body[at] === quote) return at
  }
  return body.length - 1
}

/** A body of lines, unchanged; the last line may lack its line feed. */
export function plainLines(body: Uint8Array): Lines {
  let lines = body.length > 0 && body[body.length - 1] !== lineFeed ? 1 : 0
  for (let at = body.indexOf(lineFeed); at >= 0; at = body.indexOf(lineFeed, at + 1)) lines++
  return { bytes: body, lines }
}
