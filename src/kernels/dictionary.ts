import { randomFillSync } from "node:crypto"
import { QueryveilError } from "./error.ts"

/** Distinct byte strings with dense ids. Immutable, and shareable between threads. */
export interface Dictionary {
  readonly size: number
  /** The text of an id in UTF-8; a view, not a copy. */
  bytes(id: number): Uint8Array
  /** The text of an id. */
  text(id: number): string
  /** The id of a text, or -1. */
  find(text: string): number
  /** Like `find`, for text in UTF-8. */
  findBytes(bytes: Uint8Array): number
  /** What another thread needs for the same dictionary. It is shared, not copied. */
  parts(): DictionaryParts
}

/** A whole dictionary, for another thread or a file. Entry i is arena[offsets[i], offsets[i+1]). */
export interface DictionaryParts {
  arena: Uint8Array
  offsets: Uint32Array
}

const fnvPrime = 0x01000193

/** FNV-1a started from `seed`, with a final mix. Secret seeds prevent crafted logs from filling one bucket. */
export function hashBytes(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], fnvPrime)
  return mixHash(hash)
}

/** One step of `hashBytes`, for callers that hash while they scan. Finish with `mixHash`. */
export function stepHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, fnvPrime)
}

export function mixHash(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export function randomHashSeed(): number {
  return randomFillSync(new Int32Array(1))[0]
}

function sameBytes(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false
  return true
}

/** How many look-ups `Interner.warm` takes at once. */
export const warmBatch = 256
const warmStarts = new Float64Array(warmBatch)

const maxArena = 0xffff_ffff

/**
 * Interns byte strings: equal bytes get the same id, and ids follow the order of first arrival. Open addressing with
 * linear probing over one arena. The table holds (hash, id + 1) pairs, so most probes never touch the arena.
 */
export class Interner {
  size = 0
  arena: Uint8Array
  offsets: Uint32Array
  readonly seed: number
  readonly #shared: boolean
  #table: Int32Array
  #mask: number

  /** `shared`: true if `freeze` must copy nothing. Room that is not used stays reserved then, but takes no memory. */
  constructor(options: { seed?: number; expected?: number; shared?: boolean } = {}) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, (options.expected ?? 1024) * 2)))
    this.seed = options.seed ?? randomHashSeed()
    this.#shared = options.shared === true
    // Memory that is not written yet takes no real memory, so shared memory may be ample.
    const textBytes = this.#shared ? 32 : 16
    this.arena = new Uint8Array(this.#memory(Math.max(1024, Math.ceil((options.expected ?? 1024) * textBytes))))
    this.offsets = new Uint32Array(this.#memory((capacity / 2 + 1) * 4))
    this.#table = new Int32Array(capacity * 2)
    this.#mask = capacity - 1
  }

  #memory(bytes: number): ArrayBuffer | SharedArrayBuffer {
    return this.#shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
  }

  /** Removes every entry and keeps the memory. */
  clear(): void {
    this.size = 0
    this.#table.fill(0) // offsets[0] stays 0
  }

  /** The id of bytes[start, end), whose hash under `seed` is `hash`. New bytes get a new id. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start
    const table = this.#table
    const tag = hash | 0
    let slot = hash & this.#mask
    for (;;) {
      const held = table[slot * 2 + 1]
      if (held === 0) break
      if (table[slot * 2] === tag) {
        const id = held - 1
        const at = this.offsets[id]
        if (this.offsets[id + 1] - at === length && sameBytes(this.arena, at, bytes, start, length)) return id
      }
      slot = (slot + 1) & this.#mask
    }
    return this.#append(bytes, start, end, tag, slot)
  }

  /** The id of a text, or -1. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start
    const table = this.#table
    const tag = hash | 0
    for (let slot = hash & this.#mask; table[slot * 2 + 1] !== 0; slot = (slot + 1) & this.#mask) {
      if (table[slot * 2] !== tag) continue
      const id = table[slot * 2 + 1] - 1
      const at = this.offsets[id]
      if (this.offsets[id + 1] - at === length && sameBytes(this.arena, at, bytes, start, length)) return id
    }
    return -1
  }

  /**
   * Brings the memory that `intern` will read for these hashes into the cache. A look-up in a large table waits for
   * three memory accesses, each of which depends on the previous one. Here the accesses of many look-ups wait together.
   * Returns a number only so that the reads are not optimised away.
   */
  warm(hashes: Uint32Array, from: number, to: number): number {
    const table = this.#table
    const mask = this.#mask
    const { offsets, arena } = this
    const starts = warmStarts
    let sink = 0
    for (let i = from; i < to; i++) {
      const slot = hashes[i] & mask
      starts[i - from] = table[slot * 2] === (hashes[i] | 0) ? table[slot * 2 + 1] : 0
    }
    for (let i = 0; i < to - from; i++) if (starts[i] > 0) starts[i] = offsets[starts[i] - 1]
    for (let i = 0; i < to - from; i++) sink ^= arena[starts[i]]
    return sink
  }

  #append(bytes: Uint8Array, start: number, end: number, tag: number, slot: number): number {
    const id = this.size++
    const at = this.offsets[id]
    const next = at + end - start
    if (next > this.arena.length) this.#growArena(next)
    if (end - start < 64) for (let i = start, o = at; i < end; i++, o++) this.arena[o] = bytes[i]
    else this.arena.set(bytes.subarray(start, end), at)
    this.offsets[id + 1] = next
    this.#table[slot * 2] = tag
    this.#table[slot * 2 + 1] = id + 1
    if (this.size * 2 > this.#mask) this.#growTable()
    return id
  }

  #growArena(needed: number): void {
    if (needed > maxArena) {
      throw new QueryveilError(
        "input-size",
        "The distinct texts of one column exceed 4 GB. Split the log, by month for instance.",
      )
    }
    const arena = new Uint8Array(this.#memory(Math.min(maxArena, Math.max(needed, this.arena.length * 2))))
    arena.set(this.arena)
    this.arena = arena
  }

  #growTable(): void {
    const old = this.#table
    const capacity = (this.#mask + 1) * 2
    const table = new Int32Array(capacity * 2)
    const mask = capacity - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue
      let slot = old[i] & mask
      while (table[slot * 2 + 1] !== 0) slot = (slot + 1) & mask
      table[slot * 2] = old[i]
      table[slot * 2 + 1] = old[i + 1]
    }
    this.#table = table
    this.#mask = mask
    const offsets = new Uint32Array(this.#memory((capacity / 2 + 1) * 4))
    offsets.set(this.offsets)
    this.offsets = offsets
  }

  /** The finished dictionary on shared memory: a view if the memory is shared already, or else a copy of its size. */
  freeze(): Dictionary {
    const used = this.offsets[this.size]
    if (this.#shared)
      return dictionaryFrom({
        arena: this.arena.subarray(0, used),
        offsets: this.offsets.subarray(0, this.size + 1),
      })
    const arena = new Uint8Array(new SharedArrayBuffer(used))
    arena.set(this.arena.subarray(0, used))
    const offsets = new Uint32Array(new SharedArrayBuffer((this.size + 1) * 4))
    offsets.set(this.offsets.subarray(0, this.size + 1))
    return dictionaryFrom({ arena, offsets })
  }
}

class FrozenDictionary implements Dictionary {
  readonly size: number
  readonly #arena: Uint8Array
  readonly #offsets: Uint32Array
  readonly #buffer: Buffer
  #index: { seed: number; mask: number; table: Int32Array } | undefined

  constructor({ arena, offsets }: DictionaryParts) {
    this.size = offsets.length - 1
    this.#arena = arena
    this.#offsets = offsets
    this.#buffer = Buffer.from(arena.buffer, arena.byteOffset, arena.byteLength)
  }

  bytes(id: number): Uint8Array {
    return this.#arena.subarray(this.#offsets[id], this.#offsets[id + 1])
  }

  text(id: number): string {
    return this.#buffer.toString("utf8", this.#offsets[id], this.#offsets[id + 1])
  }

  find(text: string): number {
    return this.findBytes(Buffer.from(text))
  }

  findBytes(bytes: Uint8Array): number {
    if (this.size === 0) return -1
    this.#index ??= this.#buildIndex()
    const { seed, mask, table } = this.#index
    let slot = hashBytes(bytes, 0, bytes.length, seed) & mask
    for (;;) {
      const id = table[slot] - 1
      if (id < 0) return -1
      const at = this.#offsets[id]
      if (this.#offsets[id + 1] - at === bytes.length && sameBytes(this.#arena, at, bytes, 0, bytes.length)) return id
      slot = (slot + 1) & mask
    }
  }

  parts(): DictionaryParts {
    return { arena: this.#arena, offsets: this.#offsets }
  }

  /** Built only on the first look-up: most runs never look up a text. */
  #buildIndex() {
    const seed = randomHashSeed()
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, this.size * 2)))
    const mask = capacity - 1
    const table = new Int32Array(capacity)
    for (let id = 0; id < this.size; id++) {
      let slot = hashBytes(this.#arena, this.#offsets[id], this.#offsets[id + 1], seed) & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = id + 1
    }
    return { seed, mask, table }
  }
}

/** The dictionary of these parts, in this thread or another. */
export function dictionaryFrom(parts: DictionaryParts): Dictionary {
  return new FrozenDictionary(parts)
}

/** A dictionary of these texts, in this order. A text given twice keeps its first id. */
export function dictionaryOf(texts: Iterable<string>): Dictionary {
  const interner = new Interner()
  for (const text of texts) {
    const bytes = Buffer.from(text)
    interner.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, interner.seed))
  }
  return interner.freeze()
}
