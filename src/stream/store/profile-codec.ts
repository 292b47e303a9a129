import { createHash } from "node:crypto"
import { damaged } from "./damage.ts"

// A profile as bytes: topics in ascending order, each as its distance from the one before (the first from 0) and its count,
// both in groups of 7 bits, the lowest first.

/** Bytes that a topic and its count may take. */
const widest = 13
/** Of the last 7 bits of a number that is exact. */
const widestUnit = 2 ** 49

export class VarintWriter {
  bytes = Buffer.alloc(1024)
  at = 0

  /** Makes room for so many topics. */
  reserve(topics: number): void {
    const needed = this.at + topics * widest
    if (needed <= this.bytes.length) return
    const bytes = Buffer.alloc(Math.max(needed, this.bytes.length * 2))
    bytes.set(this.bytes)
    this.bytes = bytes
  }

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
}

export class VarintReader {
  bytes: Uint8Array
  at: number
  end: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.at = 0
    this.end = bytes.length
  }

  /** Begins anew with other bytes. */
  open(bytes: Uint8Array): void {
    this.bytes = bytes
    this.at = 0
    this.end = bytes.length
  }

  next(): number {
    let value = this.bytes[this.at++]
    if (value < 128) return value
    if (value === undefined) throw damaged("profiles", "data.mdb", "holds a profile that ends too early")
    value -= 128
    for (let unit = 128; ; unit *= 128) {
      const byte = this.bytes[this.at++]
      if (byte < 128 && unit < widestUnit) return value + byte * unit
      if (byte === undefined || unit >= widestUnit) throw damaged("profiles", "data.mdb", "holds a broken profile")
      value += (byte - 128) * unit
    }
  }
}

/** Writes the sum of a profile, which may be empty, and of counts [from, to), sorted by topic. */
export function addCounts(
  out: VarintWriter,
  old: VarintReader,
  more: { node: Int32Array; count: Float64Array; from: number; to: number },
): void {
  const { node, count, to } = more
  out.reserve(to - more.from + old.end - old.at)
  let i = more.from
  let written = 0
  let topic = 0
  while (old.at < old.end) {
    topic += old.next()
    let sum = old.next()
    for (; i < to && node[i] < topic; i++) {
      out.put(node[i] - written)
      out.put(count[i])
      written = node[i]
    }
    if (i < to && node[i] === topic) sum += count[i++]
    out.put(topic - written)
    out.put(sum)
    written = topic
  }
  for (; i < to; i++) {
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

/** Keys of the database: what it knows of itself, users, and users whose names are too long for a key. */
export const aboutKey = Buffer.from([0])
const userTag = 1
const longTag = 2
export const longestKey = 1024

/** A user's key, in `room` if it is given. A long name is hashed, and stands before the profile. */
export function userKey(user: Uint8Array, room = Buffer.alloc(longestKey)): Buffer {
  const isName = user.length < longestKey
  const bytes = isName ? user : createHash("sha256").update(user).digest()
  room[0] = isName ? userTag : longTag
  room.set(bytes, 1)
  return room.subarray(0, 1 + bytes.length)
}

export const isLong = (key: Uint8Array) => key[0] === longTag
export const firstUserKey = Buffer.of(userTag)
