import { civilTimeWriter } from "../kernels/civil-time.ts"

/** A buffer that grows by doubling. Call `room` before writing at `at`. */
export interface RowBuffer {
  bytes: Uint8Array
  at: number
  room(needed: number): Uint8Array
  put(text: Uint8Array, length: number): void
  time(seconds: number): void
  /** Returns what was written, as bytes of its own, and empties the buffer. */
  take(): Uint8Array<ArrayBuffer>
}

export function createRowBuffer(size: number): RowBuffer {
  const writeTime = civilTimeWriter()
  const buffer: RowBuffer = {
    bytes: new Uint8Array(size),
    at: 0,
    room(needed) {
      if (buffer.at + needed > buffer.bytes.length) {
        const larger = new Uint8Array(Math.max(buffer.bytes.length * 2, buffer.at + needed))
        larger.set(buffer.bytes)
        buffer.bytes = larger
      }
      return buffer.bytes
    },
    put(text, length) {
      const { bytes, at } = buffer
      for (let i = 0; i < length; i++) bytes[at + i] = text[i]
      buffer.at = at + length
    },
    time(seconds) {
      writeTime(buffer.bytes, buffer.at, seconds)
      buffer.at += 19
    },
    take() {
      const taken = buffer.bytes.slice(0, buffer.at)
      buffer.at = 0
      return taken
    },
  }
  return buffer
}
