// A profile as bytes: topics in ascending order, each as its distance from the previous one (the first from 0) and its
// count. Both are written in groups of 7 bits, lowest first.

/** Maximum number of bytes of a number. */
const widest = 8
/** Unit of the last 7 bits of a number that is still exact. */
const widestUnit = 2 ** 49

/** Writes numbers and bytes one after another, in a buffer that grows. */
export class VarintWriter {
  bytes = Buffer.alloc(1024)
  at = 0

  /** Makes room for this many more bytes. */
  reserve(more: number): void {
    const needed = this.at + more
    if (needed <= this.bytes.length) return
    const bytes = Buffer.alloc(Math.max(needed, this.bytes.length * 2))
    bytes.set(this.bytes)
    this.bytes = bytes
  }

  /** Writes a number. There must be room for it. */
  put(value: number): void {
    if (value < 128) {
      this.bytes[this.at++] = value
      return
    }
    let rest = value
    while (rest >= 128) {
      this.bytes[this.at++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.bytes[this.at++] = rest
  }

  /** Writes a length and that many bytes. */
  putBytes(bytes: Uint8Array): void {
    this.reserve(widest + bytes.length)
    this.put(bytes.length)
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  /** The bytes written so far; valid until more are written. */
  written(): Buffer {
    return this.bytes.subarray(0, this.at)
  }
}

/** Reads what `VarintWriter` wrote. Throws a RangeError if the bytes end too early. */
export class VarintReader {
  bytes: Uint8Array
  at = 0
  end: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.end = bytes.length
  }

  /** Starts again with other bytes. */
  open(bytes: Uint8Array): void {
    this.bytes = bytes
    this.at = 0
    this.end = bytes.length
  }

  next(): number {
    let value = this.bytes[this.at++]
    if (value < 128) return value
    if (value === undefined) throw new RangeError("A number is missing.")
    value -= 128
    for (let unit = 128; ; unit *= 128) {
      const byte = this.bytes[this.at++]
      if (byte < 128 && unit < widestUnit) return value + byte * unit
      if (byte === undefined || unit >= widestUnit) throw new RangeError("A number is broken.")
      value += (byte - 128) * unit
    }
  }

  /** A view of the next bytes; their length is stored before them. */
  nextBytes(): Uint8Array {
    const length = this.next()
    const start = this.at
    this.at += length
    if (this.at > this.end) throw new RangeError("Bytes are missing.")
    return this.bytes.subarray(start, this.at)
  }
}

/** Writes the sum of two profiles. */
export function addCounts(out: VarintWriter, one: VarintReader, other: VarintReader): void {
  const none = Number.POSITIVE_INFINITY
  const step = (reader: VarintReader, topic: number) => (reader.at < reader.end ? topic + reader.next() : none)
  let written = 0
  let [a, b] = [step(one, 0), step(other, 0)]
  while (a !== none || b !== none) {
    const topic = Math.min(a, b)
    let sum = 0
    if (a === topic) {
      sum += one.next()
      a = step(one, a)
    }
    if (b === topic) {
      sum += other.next()
      b = step(other, b)
    }
    out.reserve(2 * widest)
    out.put(topic - written)
    out.put(sum)
    written = topic
  }
}

/** Writes counts [from, to), sorted by topic, as a profile. */
export function putCounts(
  out: VarintWriter,
  { node, count, from, to }: { node: Int32Array; count: Float64Array; from: number; to: number },
): void {
  out.reserve((to - from) * 2 * widest)
  for (let i = from, written = 0; i < to; i++) {
    out.put(node[i] - written)
    out.put(count[i])
    written = node[i]
  }
}

export function readCounts(source: VarintReader): { node: number; count: number }[] {
  const counts: { node: number; count: number }[] = []
  let node = 0
  while (source.at < source.end) {
    node += source.next()
    counts.push({ node, count: source.next() })
  }
  return counts
}
