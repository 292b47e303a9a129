/**
 * A priority queue of inner nodes by a key that changes: each node once at most, the lowest key first. A binary heap that
 * knows where each node stands.
 */
export class FamilyQueue {
  readonly #heap: Int32Array
  readonly #place: Int32Array
  readonly #key: Float64Array
  #size = 0

  /** Nodes are numbers below `size`. */
  constructor(size: number) {
    this.#heap = new Int32Array(size)
    this.#place = new Int32Array(size).fill(-1)
    this.#key = new Float64Array(size)
  }

  /** Puts a node in, or changes its key. */
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

  /** Nodes whose key is at most `tolerance` above the lowest; none where the queue is empty. */
  lowest(tolerance: number): number[] {
    if (this.#size === 0) return []
    const bound = this.#key[this.#heap[0]] + tolerance
    const found: number[] = []
    const open = [0]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (place >= this.#size || this.#key[this.#heap[place]] > bound) continue
      found.push(this.#heap[place])
      open.push(2 * place + 1, 2 * place + 2)
    }
    return found
  }

  /** Moves a node up or down to where its key belongs. */
  #settle(node: number): void {
    const key = this.#key[node]
    let place = this.#place[node]
    for (; place > 0; place = (place - 1) >> 1) {
      const above = this.#heap[(place - 1) >> 1]
      if (this.#key[above] <= key) break
      this.#put(above, place)
    }
    for (let child = 2 * place + 1; child < this.#size; child = 2 * place + 1) {
      if (child + 1 < this.#size && this.#key[this.#heap[child + 1]] < this.#key[this.#heap[child]]) child++
      if (this.#key[this.#heap[child]] >= key) break
      this.#put(this.#heap[child], place)
      place = child
    }
    this.#put(node, place)
  }

  #put(node: number, place: number): void {
    this.#heap[place] = node
    this.#place[node] = place
  }
}
