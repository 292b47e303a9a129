import { growInt32 } from "../grow.ts"

/** A slot whose text is gone. */
const gone = -1
/** Places in the arena come in multiples of this. */
const grain = 8
/** Texts up to so many grains have a free list of their own length; longer ones take the next power of two. */
const smallClasses = 32

/**
 * Texts under ids that are used again. An id lives as long as somebody holds it; the last `idle` that nobody holds any more
 * are kept too, in case they come back. Memory is in proportion to the most that were held at one time.
 *
 * Open addressing with linear probing, (hash, id + 1) in each slot; bytes in one arena, in places of few sizes, each size
 * with a list of those that are free.
 */
export class LiveTexts {
  readonly #idleMost: number
  #table = new Int32Array(2 * 64)
  #mask = 63
  #used = 0 // slots with an id or a mark
  #count = 0
  // By id.
  hash = new Uint32Array(64)
  #start = new Float64Array(64)
  #length = new Int32Array(64)
  #holds = new Int32Array(64)
  #generation = new Uint32Array(64)
  #idleSince = new Float64Array(64) // its place in the queue of idle ids, -1: none
  #free: number[] = []
  #ids = 0
  // The arena.
  arena = new Uint8Array(1 << 12)
  #end = 0
  readonly #freePlaces: number[][] = []
  // Idle ids in the order in which they became so; an id that is held again leaves a stale entry.
  #queue = new Int32Array(64)
  #first = 0
  #last = 0

  constructor({ idle = 0 }: { idle?: number } = {}) {
    this.#idleMost = idle
  }

  /** Texts that are held or idle. */
  get size(): number {
    return this.#count
  }

  /** The largest id so far, plus one: columns by id are at least so long. */
  get ids(): number {
    return this.#ids
  }

  start(id: number): number {
    return this.#start[id]
  }

  end(id: number): number {
    return this.#start[id] + this.#length[id]
  }

  length(id: number): number {
    return this.#length[id]
  }

  /** Writes a text to `out` and gives the place behind it. */
  copy(id: number, out: Uint8Array, at: number): number {
    const { arena } = this
    const start = this.#start[id]
    const length = this.#length[id]
    for (let i = 0; i < length; i++) out[at + i] = arena[start + i]
    return at + length
  }

  /** How many texts this id has stood for: what is known by id is of the present text if this is the same. */
  generation(id: number): number {
    return this.#generation[id]
  }

  bytes(id: number): Uint8Array {
    return this.arena.subarray(this.start(id), this.end(id))
  }

  /** The id of a text, held once more. `hash` must be a function of the bytes. */
  hold(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start
    const table = this.#table
    const tag = hash | 0
    let slot = hash & this.#mask
    let vacant = -1
    for (; table[slot * 2 + 1] !== 0; slot = (slot + 1) & this.#mask) {
      const held = table[slot * 2 + 1]
      if (held === gone) {
        if (vacant < 0) vacant = slot
      } else if (table[slot * 2] === tag && this.#isText(held - 1, bytes, start, length)) {
        this.#holds[held - 1]++
        this.#idleSince[held - 1] = -1
        return held - 1
      }
    }
    if (vacant < 0) {
      vacant = slot
      this.#used++
    }
    const id = this.#newId()
    table[vacant * 2] = tag
    table[vacant * 2 + 1] = id + 1
    this.hash[id] = hash
    this.#generation[id]++
    this.#holds[id] = 1
    this.#idleSince[id] = -1
    this.#length[id] = length
    this.#start[id] = this.#place(length)
    if (length < 64) for (let i = start, o = this.#start[id]; i < end; i++, o++) this.arena[o] = bytes[i]
    else this.arena.set(bytes.subarray(start, end), this.#start[id])
    this.#count++
    if (this.#used * 2 > this.#mask) this.#rebuild()
    return id
  }

  /** One holds it less. */
  drop(id: number): void {
    if (--this.#holds[id] > 0) return
    if (this.#idleMost === 0) {
      this.#forget(id)
      return
    }
    this.#idleSince[id] = this.#last
    if (this.#last - this.#first === this.#queue.length) this.#growQueue()
    this.#queue[this.#last++ & (this.#queue.length - 1)] = id
    while (this.#last - this.#first > this.#idleMost) {
      const place = this.#first++
      const oldest = this.#queue[place & (this.#queue.length - 1)]
      if (this.#idleSince[oldest] === place) this.#forget(oldest)
    }
  }

  #isText(id: number, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.#length[id] !== length) return false
    const { arena } = this
    const at = this.#start[id]
    for (let i = 0; i < length; i++) if (arena[at + i] !== bytes[start + i]) return false
    return true
  }

  #newId(): number {
    const id = this.#free.pop()
    if (id !== undefined) return id
    if (this.#ids === this.hash.length) {
      const capacity = this.#ids * 2
      this.hash = enlarged(this.hash, new Uint32Array(capacity))
      this.#generation = enlarged(this.#generation, new Uint32Array(capacity))
      this.#start = enlarged(this.#start, new Float64Array(capacity))
      this.#idleSince = enlarged(this.#idleSince, new Float64Array(capacity))
      this.#length = growInt32(this.#length, capacity)
      this.#holds = growInt32(this.#holds, capacity)
    }
    return this.#ids++
  }

  #forget(id: number): void {
    let slot = this.hash[id] & this.#mask
    while (this.#table[slot * 2 + 1] !== id + 1) slot = (slot + 1) & this.#mask
    const isLast = this.#table[((slot + 1) & this.#mask) * 2 + 1] === 0
    this.#table[slot * 2 + 1] = isLast ? 0 : gone
    if (isLast) this.#used--
    this.#idleSince[id] = -1
    this.#freePlaces[classOf(this.#length[id])]?.push(this.#start[id])
    this.#free.push(id)
    this.#count--
  }

  #place(length: number): number {
    const size = classOf(length)
    this.#freePlaces[size] ??= []
    const place = this.#freePlaces[size].pop()
    if (place !== undefined) return place
    const start = this.#end
    this.#end += roomOf(size)
    if (this.#end > this.arena.length)
      this.arena = enlarged(this.arena, new Uint8Array(Math.max(this.#end, Math.ceil(this.arena.length * 1.5))))
    return start
  }

  /** A table without marks, at most a quarter full. */
  #rebuild(): void {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(64, this.#count * 4)))
    const old = this.#table
    const table = new Int32Array(capacity * 2)
    const mask = capacity - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] <= 0) continue
      let slot = old[i] & mask
      while (table[slot * 2 + 1] !== 0) slot = (slot + 1) & mask
      table[slot * 2] = old[i]
      table[slot * 2 + 1] = old[i + 1]
    }
    this.#table = table
    this.#mask = mask
    this.#used = this.#count
  }

  #growQueue(): void {
    const queue = new Int32Array(this.#queue.length * 2)
    for (let place = this.#first; place < this.#last; place++)
      queue[place & (queue.length - 1)] = this.#queue[place & (this.#queue.length - 1)]
    this.#queue = queue
  }
}

/** The class of places that a text of this length takes. */
function classOf(length: number): number {
  const grains = Math.max(1, Math.ceil(length / grain))
  return grains <= smallClasses ? grains : smallClasses + Math.ceil(Math.log2(grains / smallClasses))
}

const roomOf = (size: number) => grain * (size <= smallClasses ? size : smallClasses * 2 ** (size - smallClasses))

function enlarged<A extends Uint32Array | Float64Array | Uint8Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}
