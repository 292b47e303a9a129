/** Writes the fields of a request in Kafka's binary form: big-endian numbers, and texts with their length before. */
export class WireWriter {
  readonly #parts: Buffer[] = []

  int8(value: number): this {
    const part = Buffer.alloc(1)
    part.writeInt8(value)
    return this.#add(part)
  }

  int16(value: number): this {
    const part = Buffer.alloc(2)
    part.writeInt16BE(value)
    return this.#add(part)
  }

  int32(value: number): this {
    const part = Buffer.alloc(4)
    part.writeInt32BE(value)
    return this.#add(part)
  }

  text(value: string): this {
    const bytes = Buffer.from(value)
    return this.int16(bytes.length).#add(bytes)
  }

  bytes(value: Uint8Array): this {
    return this.int32(value.length).#add(Buffer.from(value))
  }

  take(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #add(part: Buffer): this {
    this.#parts.push(part)
    return this
  }
}

/** Reads the fields of an answer. Throws a `RangeError` if the answer is shorter than its fields. */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int8(): number {
    return this.#bytes.readInt8(this.#step(1))
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#step(2))
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#step(4))
  }

  /** A text; undefined if it is null. */
  text(): string | undefined {
    const length = this.int16()
    return length < 0 ? undefined : this.#slice(length).toString("utf8")
  }

  bytes(): Buffer {
    return this.#slice(Math.max(0, this.int32()))
  }

  list<T>(read: () => T): T[] {
    const length = Math.max(0, this.int32())
    if (length > this.#bytes.length) throw new RangeError("a list is longer than its message")
    return Array.from({ length }, read)
  }

  #slice(length: number): Buffer {
    const start = this.#step(length)
    return this.#bytes.subarray(start, start + length)
  }

  #step(length: number): number {
    const at = this.#at
    if (at + length > this.#bytes.length) throw new RangeError("a message ends early")
    this.#at += length
    return at
  }
}
