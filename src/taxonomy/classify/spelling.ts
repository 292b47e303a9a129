import { mixHash, stepHash } from "../../kernels/dictionary.ts"
import type { WordIndex } from "./word-index.ts"

const shortest = 5
const longest = 14

/**
 * Words indexed by what is left of them without one letter (SymSpell). Open addressing, (hash, id + 1) per slot. If two
 * words differ by one added, missing or changed letter, or by two swapped letters, they share such a rest, or one is a
 * rest of the other.
 */
export interface SpellingTable {
  slots: Int32Array
}

export function indexSpellings(words: WordIndex, isTarget: (id: number) => boolean): SpellingTable {
  const { arena, offsets, seed } = words
  const targets: number[] = []
  let entries = 0
  for (let id = 0; id + 1 < offsets.length; id++) {
    const length = offsets[id + 1] - offsets[id]
    if (length < shortest || length > longest || !isTarget(id)) continue
    targets.push(id)
    entries += length + 1
  }
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, entries * 2))) - 1
  const slots = new Int32Array(new SharedArrayBuffer((mask + 1) * 8))
  for (const id of targets) {
    const count = hashRests(arena, { start: offsets[id], end: offsets[id + 1], seed })
    for (let i = 0; i < count; i++) {
      let slot = rests[i] & mask
      while (slots[slot * 2 + 1] !== 0) slot = (slot + 1) & mask
      slots[slot * 2] = rests[i]
      slots[slot * 2 + 1] = id + 1
    }
  }
  return { slots }
}

const letters = new Uint8Array(longest)
/** What `hashRests` found. */
const rests = new Int32Array(longest)

/**
 * The most common word of the table (least information) that is one slip away from an unknown word of plain letters; -1
 * if none.
 */
export function correct(
  { slots }: SpellingTable,
  words: WordIndex,
  unknown: { word: string; info: Float32Array },
): number {
  const { word, info } = unknown
  if (word.length < shortest || word.length > longest) return -1
  const bytes = letters.subarray(0, word.length)
  for (let i = 0; i < word.length; i++) bytes[i] = word.charCodeAt(i)
  const { arena, offsets, seed } = words
  const mask = slots.length / 2 - 1
  let best = -1
  const count = hashRests(bytes, { start: 0, end: bytes.length, seed })
  for (let i = 0; i < count; i++) {
    for (let slot = rests[i] & mask; slots[slot * 2 + 1] !== 0; slot = (slot + 1) & mask) {
      if (slots[slot * 2] !== rests[i]) continue
      const id = slots[slot * 2 + 1] - 1
      if (id === best || !isSlip(bytes, arena.subarray(offsets[id], offsets[id + 1]))) continue
      if (best < 0 || info[id] < info[best] || (info[id] === info[best] && id < best)) best = id
    }
  }
  return best
}

/**
 * Hashes of bytes[start, end), as it is and without each of its letters except the first. Writes them to `rests`, and
 * returns their number.
 */
function hashRests(bytes: Uint8Array, { start, end, seed }: { start: number; end: number; seed: number }): number {
  let count = 0
  let before = stepHash(seed, bytes[start]) // the first letter stays
  for (let skip = start + 1; skip < end; skip++) {
    if (skip === start + 1 || bytes[skip] !== bytes[skip - 1]) {
      let hash = before
      for (let i = skip + 1; i < end; i++) hash = stepHash(hash, bytes[i])
      rests[count++] = mixHash(hash)
    }
    before = stepHash(before, bytes[skip])
  }
  rests[count++] = mixHash(before)
  return count
}

/**
 * True if two words differ by one added, missing or changed letter, or by two swapped neighbours. The first letter must
 * agree.
 */
function isSlip(a: Uint8Array, b: Uint8Array): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same++
  const left = Math.min(a.length, b.length) - same
  if (a.length !== b.length) return isSameEnd(a, b, left)
  const isSwap = a[same] === b[same + 1] && a[same + 1] === b[same]
  return isSameEnd(a, b, left - 1) || (isSwap && isSameEnd(a, b, left - 2))
}

/** True if the last bytes of both are the same. */
function isSameEnd(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let back = 1; back <= length; back++) if (a[a.length - back] !== b[b.length - back]) return false
  return true
}
