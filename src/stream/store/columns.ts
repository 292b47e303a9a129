import { endianness } from "node:os"

type Column = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

const foreign = endianness() === "BE"

/**
 * Writes columns one after another, little-endian. The buffer must be large enough. Writing wide columns first keeps
 * all of them aligned.
 */
export class ColumnWriter {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.at = at
  }

  put(column: Column): void {
    const { byteLength } = column
    this.bytes.set(new Uint8Array(column.buffer, column.byteOffset, byteLength), this.at)
    if (foreign) turnBytes(this.bytes.subarray(this.at, this.at + byteLength), column.BYTES_PER_ELEMENT)
    this.at += byteLength
  }

  /** Fills the rest with zeros, so that an uninitialised buffer does not carry memory content into a file. */
  close(): void {
    this.bytes.fill(0, this.at)
  }
}

/** Reads what `ColumnWriter` wrote: views of the bytes if they are aligned, copies otherwise. */
export class ColumnReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.at = at
  }

  uint8(count: number): Uint8Array {
    this.at += count
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.at - count, count) // never a Buffer
  }

  uint16(count: number): Uint16Array {
    const [buffer, offset] = this.#take(count, 2)
    return new Uint16Array(buffer, offset, count)
  }

  int32(count: number): Int32Array {
    const [buffer, offset] = this.#take(count, 4)
    return new Int32Array(buffer, offset, count)
  }

  uint32(count: number): Uint32Array {
    const [buffer, offset] = this.#take(count, 4)
    return new Uint32Array(buffer, offset, count)
  }

  float64(count: number): Float64Array {
    const [buffer, offset] = this.#take(count, 8)
    return new Float64Array(buffer, offset, count)
  }

  text(bytes: number): string {
    const part = this.uint8(bytes)
    return Buffer.from(part.buffer, part.byteOffset, part.length).toString()
  }

  #take(count: number, width: number): [ArrayBufferLike, number] {
    const part = this.uint8(count * width)
    if (!foreign && part.byteOffset % width === 0) return [part.buffer, part.byteOffset]
    const copy = new Uint8Array(part)
    if (foreign) turnBytes(copy, width)
    return [copy.buffer, copy.byteOffset]
  }
}

function turnBytes(bytes: Uint8Array, width: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (width === 2) buffer.swap16()
  if (width === 4) buffer.swap32()
  if (width === 8) buffer.swap64()
}
