/**
 * The number of cells that closed in each category. It is also the number of the category's next cell, so it must
 * outlive a swapper: a stream keeps it through restarts and changes of depth. It is never reset.
 */
export class CellCounts {
  #counts = new Float64Array(64)

  of(category: number): number {
    return category < this.#counts.length ? this.#counts[category] : 0
  }

  /** Counts one more closed cell of a category. */
  add(category: number): void {
    this.#admit(category)
    this.#counts[category]++
  }

  /** Categories with cells, in ascending order, and their numbers of cells. */
  list(): [category: number, cells: number][] {
    const found: [number, number][] = []
    this.#counts.forEach((cells, category) => {
      if (cells > 0) found.push([category, cells])
    })
    return found
  }

  /** Restores what `list` returned. */
  restore(counts: readonly (readonly [category: number, cells: number])[]): void {
    for (const [category, cells] of counts) {
      this.#admit(category)
      this.#counts[category] = cells
    }
  }

  #admit(category: number): void {
    if (category < this.#counts.length) return
    const counts = new Float64Array(Math.max(category + 1, Math.ceil(this.#counts.length * 1.5)))
    counts.set(this.#counts)
    this.#counts = counts
  }
}
