/**
 * A priority queue of inner nodes whose keys change. Each node is in it at most once. The lowest key comes first; among
 * equal keys, the node that `isBefore` the others. It is a binary heap that also stores the position of each node.
 */
export class FamilyQueue {
  readonly #heap: Int32Array
  readonly #place: Int32Array
  readonly #key: Float64Array
  readonly #isBefore: (a: number, b: number) => boolean
  #size = 0

  /** Nodes are numbers below `size`. */
  constructor(size: number, isBefore: (a: number, b: number) => boolean) {
    this.#isBefore = isBefore
    const nodes = new Int32Array(size * 2)
    this.#heap = nodes.subarray(0, size)
    this.#place = nodes.subarray(size).fill(-1)
    this.#key = new Float64Array(size)
  }

  /** Adds a node, or changes its key. */
  set(node: number, key: number): void {
    this.#key[node] = key
    if (this.#place[node] < 0) {
      this.#place[node] = this.#size
      this.#heap[this.#size++] = node
    }
    this.#settle(node)
  }

  delete(node: number): void {
    const place = this.#place[node]
    if (place < 0) return
    this.#place[node] = -1
    const last = this.#heap[--this.#size]
    if (last === node) return
    this.#heap[place] = last
    this.#place[last] = place
    this.#settle(last)
  }

  /** The node with the lowest key, or -1 if the queue is empty. */
  get first(): number {
    return this.#size === 0 ? -1 : this.#heap[0]
  }

  /** Moves a node up or down to the position of its key. */
  #settle(node: number): void {
    let place = this.#place[node]
    for (; place > 0; place = (place - 1) >> 1) {
      const above = this.#heap[(place - 1) >> 1]
      if (!this.#isLower(node, above)) break
      this.#put(above, place)
    }
    for (let child = 2 * place + 1; child < this.#size; child = 2 * place + 1) {
      if (child + 1 < this.#size && this.#isLower(this.#heap[child + 1], this.#heap[child])) child++
      if (!this.#isLower(this.#heap[child], node)) break
      this.#put(this.#heap[child], place)
      place = child
    }
    this.#put(node, place)
  }

  #isLower(a: number, b: number): boolean {
    return this.#key[a] < this.#key[b] || (this.#key[a] === this.#key[b] && this.#isBefore(a, b))
  }

  #put(node: number, place: number): void {
    this.#heap[place] = node
    this.#place[node] = place
  }
}
