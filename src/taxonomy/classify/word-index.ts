import { hashBytes, type Interner, mixHash, stepHash } from "../../kernels/dictionary.ts"

/** Words by id, with a look-up table that threads share. Word i is arena[offsets[i], offsets[i + 1]). */
export interface WordIndex {
  arena: Uint8Array
  offsets: Uint32Array
  /** Open addressing by hash: id + 1, or 0 if the slot is free. */
  table: Int32Array
  seed: number
}

export function indexWords(words: Interner): WordIndex {
  const { arena, offsets } = words.freeze().parts()
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, words.size * 2))) - 1
  const table = new Int32Array(new SharedArrayBuffer((mask + 1) * 4))
  for (let id = 0; id < words.size; id++) {
    let slot = hashBytes(arena, offsets[id], offsets[id + 1], words.seed) & mask
    while (table[slot] !== 0) slot = (slot + 1) & mask
    table[slot] = id + 1
  }
  return { arena, offsets, table, seed: words.seed }
}

/** The id of bytes[start, end) with this hash under the index's seed, or -1. */
function findHashed(
  { arena, offsets, table }: WordIndex,
  { bytes, start, end }: { bytes: Uint8Array; start: number; end: number },
  hash: number,
): number {
  const mask = table.length - 1
  const length = end - start
  for (let slot = hash & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
    const id = table[slot] - 1
    const at = offsets[id]
    if (offsets[id + 1] - at !== length) continue
    let i = 0
    while (i < length && arena[at + i] === bytes[start + i]) i++
    if (i === length) return id
  }
  return -1
}

/** The id of a text, or -1. For plain ASCII no buffer is allocated. */
export function findText(index: WordIndex, text: string): number {
  const { arena, offsets, table, seed } = index
  const { length } = text
  let hash = seed
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) {
      const bytes = Buffer.from(text)
      return findHashed(index, { bytes, start: 0, end: bytes.length }, hashBytes(bytes, 0, bytes.length, seed))
    }
    hash = stepHash(hash, code)
  }
  const mask = table.length - 1
  for (let slot = mixHash(hash) & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
    const id = table[slot] - 1
    const at = offsets[id]
    if (offsets[id + 1] - at !== length) continue
    let i = 0
    while (i < length && arena[at + i] === text.charCodeAt(i)) i++
    if (i === length) return id
  }
  return -1
}

/** Interns a text. */
export function internText(words: Interner, text: string): number {
  const bytes = Buffer.from(text)
  return words.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, words.seed))
}
