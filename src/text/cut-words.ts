import { type DictionaryParts, Interner, mixHash, stepHash } from "../kernels/dictionary.ts"
import { hasUnspacedScript, segmentWord } from "./unspaced-scripts.ts"

/** A range of a dictionary's queries. */
export interface TokenShard {
  queries: DictionaryParts
  mode: "words" | "segmenter"
  /** The seed for the hashes of the words. */
  seed: number
  from: number
  to: number
}

/** The words of a shard, with their hashes, and its queries as sequences of them. */
export interface TokenisedShard {
  arena: Uint8Array
  offsets: Uint32Array
  hashes: Uint32Array
  lengths: Uint32Array
  tokens: Int32Array
}

const space = 32
/** All letters of scripts without spaces start with a byte of at least this value. */
const threeBytes = 0xe0

/** The words of some queries. For ordinary text, no string is made. */
export function cutShard({ queries, mode, seed, from, to }: TokenShard): TokenisedShard {
  const { arena, offsets } = queries
  const words = new Interner({ seed, expected: Math.max(16, (to - from) / 2) })
  let hashes = new Uint32Array(1024)
  const lengths = new Uint32Array(to - from)
  const tokens = new Int32Array(offsets[to] - offsets[from]) // no word is empty
  let count = 0

  const push = (bytes: Uint8Array, start: number, end: number, hash: number) => {
    const id = words.intern(bytes, start, end, hash)
    if (id >= hashes.length) hashes = enlarge(hashes)
    hashes[id] = hash
    tokens[count++] = id
  }
  const pushText = (text: string) => {
    const bytes = Buffer.from(text)
    let hash = seed
    for (const byte of bytes) hash = stepHash(hash, byte)
    push(bytes, 0, bytes.length, mixHash(hash))
  }
  /** Pushes the segments of a word in a script without spaces. Returns false for any other word. */
  const pushSegments = (start: number, end: number): boolean => {
    const text = textOf(arena, start, end)
    if (!hasUnspacedScript(text)) return false
    for (const part of segmentWord(text)) pushText(part)
    return true
  }

  for (let query = from; query < to; query++) {
    const before = count
    const end = offsets[query + 1]
    let start = offsets[query]
    let hash = seed
    let highest = 0
    for (let i = start; i <= end; i++) {
      const byte = i < end ? arena[i] : space
      if (byte !== space) {
        hash = stepHash(hash, byte)
        if (byte > highest) highest = byte
        continue
      }
      if (i > start && !(mode === "segmenter" && highest >= threeBytes && pushSegments(start, i)))
        push(arena, start, i, mixHash(hash))
      start = i + 1
      hash = seed
      highest = 0
    }
    lengths[query - from] = count - before
  }
  return {
    arena: words.arena.slice(0, words.offsets[words.size]),
    offsets: words.offsets.slice(0, words.size + 1),
    hashes: hashes.slice(0, words.size),
    lengths,
    tokens: tokens.slice(0, count),
  }
}

function enlarge(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8")
}
