/** Places come in multiples of so many bytes, and are numbered by it. */
export const grain = 8
/** Texts up to so many grains have a free list of their own length; longer ones take the next power of two. */
const smallClasses = 32

/** Room for texts in one arena, in places of few sizes, each size with a list of those that are free. */
export class Places {
  arena = new Uint8Array(1 << 12)
  #end = 0 // in grains
  readonly #free: number[][] = []

  /** A place of at least so many bytes: place × grain is where it starts. */
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

  /** Copies bytes[start, end) to where it says. */
  write(bytes: Uint8Array, start: number, end: number, at: number): void {
    if (end - start < 64) {
      const { arena } = this
      for (let i = start, o = at; i < end; i++, o++) arena[o] = bytes[i]
    } else this.arena.set(bytes.subarray(start, end), at)
  }

  /** Gives back a place that was taken for so much room. */
  free(place: number, room: number): void {
    this.#free[classOf(room)]?.push(place)
  }
}

/** The class of places that so many bytes take. */
function classOf(room: number): number {
  const grains = room <= grain ? 1 : (room + grain - 1) >>> 3
  return grains <= smallClasses ? grains : smallClasses + Math.ceil(Math.log2(grains / smallClasses))
}

const grainsOf = (size: number) => (size <= smallClasses ? size : smallClasses * 2 ** (size - smallClasses))
