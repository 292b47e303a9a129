/** A `Map` cannot have more than 2²⁴ entries. */
const most = 2 ** 23

/** A map of any number of entries, as far as memory allows. */
export class LargeMap<K, V> {
  readonly #parts: Map<K, V>[] = [new Map()]
  readonly #most: number

  /** `most`: entries of one part, for tests. */
  constructor(options: { most?: number } = {}) {
    this.#most = options.most ?? most
  }

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  get(key: K): V | undefined {
    return this.#find(key)?.get(key)
  }

  has(key: K): boolean {
    return this.#find(key) !== undefined
  }

  set(key: K, value: V): void {
    const last = this.#parts[this.#parts.length - 1]
    const part = this.#find(key) ?? (last.size < this.#most ? last : new Map<K, V>())
    if (part !== last && part.size === 0) this.#parts.push(part)
    part.set(key, value)
  }

  #find(key: K): Map<K, V> | undefined {
    for (const part of this.#parts) if (part.has(key)) return part
    return undefined
  }
}
