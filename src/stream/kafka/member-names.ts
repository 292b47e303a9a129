const quote = 34
const backslash = 92
const colon = 58
const brace = 123
/** With this bit, `[` and `{` are one byte, and so are `]` and `}`. */
const curled = 32
const opening = 123
const closing = 125
/** Bytes that no name has in JSON. */
const endOfName = 10
const inside = 1

/** A document as search engines dump it has the record in this member. */
const source = Buffer.from("_source")

/**
 * The names of a JSON record's members, in order, as one text. Records with the same text have their columns in the
 * same places, and no others have it. It looks at the bytes alone, which is faster than parsing. What is not an object
 * has any text.
 *
 * The names inside `_source` are listed too, because the record may be there. A name with a backslash may be another
 * spelling of `_source`.
 */
export class MemberNames {
  #bytes = Buffer.alloc(256)
  #length = 0
  #last = Buffer.alloc(0)
  #text = ""

  /** The text of a record's names. */
  read(value: Uint8Array): string {
    this.#length = 0
    this.#gather(value)
    const names = this.#bytes.subarray(0, this.#length)
    if (names.equals(this.#last)) return this.#text // most records have the names of the one before
    this.#last = Buffer.from(names)
    this.#text = names.toString("latin1")
    return this.#text
  }

  #gather(value: Uint8Array): void {
    let depth = 0
    let listed = 1 // names at this depth and above
    for (let at = 0; at < value.length; at++) {
      const byte = value[at]
      if (byte === quote) {
        const start = at + 1
        at = endOfText(value, start)
        if (depth > listed || value[nextToken(value, at + 1)] !== colon) continue
        this.#add(value, start, at)
        if (depth === 1) listed = this.#opensSource(value, start, at) ? 2 : 1
      } else if ((byte | curled) === opening) {
        if (depth === 0 && byte !== brace) return
        depth++
      } else if ((byte | curled) === closing && --depth === 1 && listed === 2) {
        this.#push(inside)
        listed = 1
      }
    }
  }

  /** True if the name in [start, end) may be that of a dumped document's record, and its value is an object. */
  #opensSource(value: Uint8Array, start: number, end: number): boolean {
    if (!mayBeSource(value, start, end)) return false
    this.#push(inside)
    return value[nextToken(value, nextToken(value, end + 1) + 1)] === brace
  }

  #add(value: Uint8Array, start: number, end: number): void {
    for (let i = start; i < end; i++) this.#push(value[i])
    this.#push(endOfName)
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2)
    this.#bytes[this.#length++] = byte
  }
}

function mayBeSource(value: Uint8Array, start: number, end: number): boolean {
  const name = value.subarray(start, end)
  return name.includes(backslash) || source.equals(name)
}

/** Where a text ends, given where it begins. */
function endOfText(value: Uint8Array, start: number): number {
  let at = start
  while (at < value.length && value[at] !== quote) at += value[at] === backslash ? 2 : 1
  return at
}

/** Where the first byte from here is that is not white space. */
function nextToken(value: Uint8Array, start: number): number {
  let at = start
  while (value[at] <= 32) at++
  return at
}
