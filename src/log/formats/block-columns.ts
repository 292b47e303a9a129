import { Interner } from "../../kernels/dictionary.ts"
import type { ParsedTexts } from "./parsed-block.ts"

/** Gives the texts of one column of a block local ids. */
export interface TextIds {
  /** `hash`: the hash of the text with the seed of all blocks. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number
  /** Copies of exactly the size used. The texts are then forgotten. */
  take(): ParsedTexts
}

/** Where the rows of a block and their texts are added. */
export interface BlockColumns {
  rows: RowColumns & {
    /** The index of a new row. */
    next(): number
  }
  users: TextIds
  queries: TextIds
  urls: TextIds
  /** Copies of the columns of exactly the size used. */
  takeRows(): RowColumns
}

interface RowColumns {
  user: Int32Array
  query: Int32Array
  time: Int32Array
  rank: Uint16Array
  url: Int32Array
  line: Uint32Array
  /** Empty unless `keyed`. */
  key: Int32Array
  /** Empty unless `categorised`. */
  category: Int32Array
}

/** Columns that grow as rows are added. */
export class RowBuffer implements RowColumns {
  user: Int32Array
  query: Int32Array
  time: Int32Array
  rank: Uint16Array
  url: Int32Array
  line: Uint32Array
  key: Int32Array
  category: Int32Array
  #rows = 0

  constructor(capacity: number, { keyed, categorised }: { keyed: boolean; categorised: boolean }) {
    this.user = new Int32Array(capacity)
    this.query = new Int32Array(capacity)
    this.time = new Int32Array(capacity)
    this.rank = new Uint16Array(capacity)
    this.url = new Int32Array(capacity)
    this.line = new Uint32Array(capacity)
    this.key = new Int32Array(keyed ? capacity : 0)
    this.category = new Int32Array(categorised ? capacity : 0)
  }

  next(): number {
    if (this.#rows === this.user.length) {
      const capacity = this.#rows * 2
      this.user = grown(this.user, new Int32Array(capacity))
      this.query = grown(this.query, new Int32Array(capacity))
      this.time = grown(this.time, new Int32Array(capacity))
      this.rank = grown(this.rank, new Uint16Array(capacity))
      this.url = grown(this.url, new Int32Array(capacity))
      this.line = grown(this.line, new Uint32Array(capacity))
      if (this.key.length > 0) this.key = grown(this.key, new Int32Array(capacity))
      if (this.category.length > 0) this.category = grown(this.category, new Int32Array(capacity))
    }
    return this.#rows++
  }

  take() {
    const rows = this.#rows
    return {
      user: this.user.slice(0, rows),
      query: this.query.slice(0, rows),
      time: this.time.slice(0, rows),
      rank: this.rank.slice(0, rows),
      url: this.url.slice(0, rows),
      line: this.line.slice(0, rows),
      key: this.key.slice(0, rows),
      category: this.category.slice(0, rows),
    }
  }
}

function grown<A extends Int32Array | Uint32Array | Uint16Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}

/** Interns the texts of one block. Keeps their hashes for the thread that joins the blocks. */
export class BlockTexts implements TextIds {
  readonly #interner: Interner
  #hashes = new Uint32Array(1024)

  constructor(options: { seed: number }) {
    this.#interner = new Interner({ seed: options.seed, expected: 4096 })
  }

  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const before = this.#interner.size
    const id = this.#interner.intern(bytes, start, end, hash)
    if (id === before) {
      if (id === this.#hashes.length) this.#hashes = grown(this.#hashes, new Uint32Array(id * 2))
      this.#hashes[id] = hash
    }
    return id
  }

  take(): ParsedTexts {
    const { arena, offsets, size } = this.#interner
    const texts = {
      arena: arena.slice(0, offsets[size]),
      offsets: offsets.slice(0, size + 1),
      hashes: this.#hashes.slice(0, size),
    }
    this.#interner.clear()
    return texts
  }
}
