import { parseJson } from "../formats/json-record.ts"

/** A document of an answer. Its text is a part of the answer and was not parsed. */
export interface RawHit {
  index: string
  id: string
  /** The values of its place in the order. */
  sort: readonly unknown[]
  /** The document as JSON; undefined if the answer has none. */
  source: Buffer | undefined
}

/** An answer to a search: its documents, and everything else as a JSON value. */
export interface CutAnswer {
  rest: unknown
  hits: RawHit[]
}

const [quote, backslash, comma, colon] = [34, 92, 44, 58]
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125]
const space = 32

/**
 * Cuts the documents out of an answer without parsing them: they are parsed later, on other threads. Undefined if the
 * answer is not JSON with an array `hits.hits`. A document itself may still be broken; then its line is rejected.
 */
export function cutHits(answer: Buffer): CutAnswer | undefined {
  try {
    return new HitCutter(answer).cut()
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

class NotJson extends Error {}

class HitCutter {
  readonly #bytes: Buffer
  #at = 0
  #lastIndex: [from: number, to: number, text: string] = [0, 0, ""]

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  cut(): CutAnswer | undefined {
    const hits: RawHit[] = []
    let list: [from: number, to: number] | undefined
    this.#members((name) => {
      if (name !== "hits" || this.#next() !== openObject) return this.#skip()
      this.#members((inner) => {
        if (inner !== "hits" || this.#next() !== openArray || list !== undefined) return this.#skip()
        const from = this.#at
        this.#elements(() => hits.push(this.#hit()))
        list = [from, this.#at]
      })
    })
    if (list === undefined) return undefined
    const text = `${this.#bytes.toString("utf8", 0, list[0])}[]${this.#bytes.toString("utf8", list[1])}`
    const rest = parseJson(text)
    return rest === undefined ? undefined : { rest, hits }
  }

  /** Reads a hit. Nothing is parsed that is not needed: this runs for every document. */
  #hit(): RawHit {
    let index: string | undefined
    let id: string | undefined
    let sort: readonly unknown[] | undefined
    let source: Buffer | undefined
    this.#list(openObject, closeObject, () => {
      const name = this.#name()
      const from = this.#at
      this.#skip()
      if (name === "_source") source ??= this.#bytes.subarray(from, this.#at)
      else if (name === "_index") index ??= this.#index(from)
      else if (name === "_id") id ??= this.#text(from)
      else if (name === "sort") sort ??= this.#sort(from)
    })
    if (index === undefined || id === undefined || sort === undefined) throw new NotJson()
    return { index, id, sort, source }
  }

  /** The name of an index. Most hits have the one of the hit before. */
  #index(from: number): string {
    const [before, to] = this.#lastIndex
    if (this.#bytes.compare(this.#bytes, before, to, from, this.#at) !== 0)
      this.#lastIndex = [from, this.#at, this.#text(from)]
    return this.#lastIndex[2]
  }

  /** The string that was skipped last. */
  #text(from: number): string {
    const text = parseJson(this.#bytes.toString("utf8", from, this.#at))
    if (typeof text !== "string") throw new NotJson()
    return text
  }

  #sort(from: number): readonly unknown[] {
    const text = this.#bytes.toString("latin1", from + 1, this.#at - 1)
    if (/^\d{1,15}$/.test(text)) return [Number(text)]
    const values = parseJson(`[${text}]`)
    if (!Array.isArray(values)) throw new NotJson()
    return values
  }

  /** Goes through the members of an object. `take` reads or skips the value. */
  #members(take: (name: string) => void): void {
    this.#list(openObject, closeObject, () => {
      take(this.#name())
    })
  }

  /** The name of a member. The position is then at its value. */
  #name(): string {
    if (this.#next() !== quote) throw new NotJson()
    const from = this.#at + 1
    this.#skipString()
    const name = this.#bytes.toString("latin1", from, this.#at - 1)
    if (this.#next() !== colon) throw new NotJson()
    this.#at++
    this.#next()
    return name
  }

  #elements(take: () => void): void {
    this.#list(openArray, closeArray, take)
  }

  #list(open: number, close: number, take: () => void): void {
    if (this.#next() !== open) throw new NotJson()
    this.#at++
    if (this.#next() === close) {
      this.#at++
      return
    }
    for (;;) {
      take()
      const end = this.#next()
      this.#at++
      if (end === close) return
      if (end !== comma) throw new NotJson()
    }
  }

  /** The next byte that is not white space; the position stays at it. */
  #next(): number {
    const bytes = this.#bytes
    while (this.#at < bytes.length && bytes[this.#at] <= space) this.#at++
    if (this.#at >= bytes.length) throw new NotJson()
    return bytes[this.#at]
  }

  #skipString(): void {
    const bytes = this.#bytes
    for (let at = this.#at + 1; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === backslash) at++
      else if (byte === quote) {
        this.#at = at + 1
        return
      }
    }
    throw new NotJson()
  }

  /** Skips a value by its brackets and strings. */
  #skip(): void {
    if (this.#next() === quote) {
      this.#skipString()
      return
    }
    const bytes = this.#bytes
    let depth = 0
    while (this.#at < bytes.length) {
      const byte = bytes[this.#at]
      if (byte === quote) {
        this.#skipString()
        continue
      }
      if (byte === openObject || byte === openArray) depth++
      else if (byte === closeObject || byte === closeArray) {
        if (depth === 0) return // the end of what the value is in
        depth--
        if (depth === 0) {
          this.#at++
          return
        }
      } else if (depth === 0 && byte === comma) return
      this.#at++
    }
    throw new NotJson()
  }
}
