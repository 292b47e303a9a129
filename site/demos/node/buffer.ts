const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Bytes whose `toString` reads UTF-8, which is all that the methods of the demos ask of a `Buffer`. */
class TextBytes extends Uint8Array<ArrayBuffer> {
  override toString(_encoding: "utf8" = "utf8", start = 0, end = this.length): string {
    return decoder.decode(this.subarray(start, end))
  }
}

function from(text: string): Uint8Array<ArrayBuffer>
function from(buffer: ArrayBuffer, at: number, length: number): TextBytes
function from(source: string | ArrayBuffer, at = 0, length?: number): Uint8Array<ArrayBuffer> {
  return typeof source === "string" ? encoder.encode(source) : new TextBytes(source, at, length)
}

function compare(one: Uint8Array, other: Uint8Array): -1 | 0 | 1 {
  const shorter = Math.min(one.length, other.length)
  for (let i = 0; i < shorter; i++) if (one[i] !== other[i]) return one[i] < other[i] ? -1 : 1
  return one.length === other.length ? 0 : one.length < other.length ? -1 : 1
}

/** What the methods of the demos use of Node's `Buffer` (`vite.config.ts` refuses more). */
export const Buffer = { from, compare }
