/** TextArena are multiples of this many bytes, and are numbered in this unit. */
export const grain = 8
/** Texts of up to this many grains have a free list for their exact length. Longer texts take the next power of two. */
const smallClasses = 32

/** Allocates texts in one arena, in places of a few sizes, with a free list for each size. */
export class TextArena {
  arena = new Uint8Array(1 << 12)
  #end = 0 // in grains
  readonly #free: number[][] = []

  /** Allocates a place of at least `room` bytes. It starts at place × grain. */
  take(room: number): number {
    const size = classOf(room)
    this.#free[size] ??= []
    const place = this.#free[size].pop()
    if (place !== undefined) return place
    const next = this.#end
    this.#end += grainsOf(size)
    const needed = this.#end * grain
    if (needed > this.arena.length) {
      const larger = new Uint8Array(Math.max(needed, Math.ceil(this.arena.length * 1.5)))
      larger.set(this.arena)
      this.arena = larger
    }
    return next
  }

  /** Copies bytes[start, end) to offset `at` of the arena. */
  write(bytes: Uint8Array, start: number, end: number, at: number): void {
    if (end - start < 64) {
      const { arena } = this
      for (let i = start, o = at; i < end; i++, o++) arena[o] = bytes[i]
    } else this.arena.set(bytes.subarray(start, end), at)
  }

  /** Frees a place that was allocated for `room` bytes. */
  free(place: number, room: number): void {
    this.#free[classOf(room)]?.push(place)
  }
}

/** The size class of `room` bytes. */
function classOf(room: number): number {
  const grains = room <= grain ? 1 : (room + grain - 1) >>> 3
  return grains <= smallClasses ? grains : smallClasses + Math.ceil(Math.log2(grains / smallClasses))
}

const grainsOf = (size: number) => (size <= smallClasses ? size : smallClasses * 2 ** (size - smallClasses))
