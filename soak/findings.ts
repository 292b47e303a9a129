/** The problems that were found, each kind with its first occurrence and its count. */
export class Findings {
  readonly #counts = new Map<string, { first: string; count: number }>()

  /** Records that a promise was broken: which, and where. */
  add(promise: string, where: string): void {
    const known = this.#counts.get(promise)
    if (known === undefined) this.#counts.set(promise, { first: where, count: 1 })
    else known.count++
  }

  get count(): number {
    return [...this.#counts.values()].reduce((sum, { count }) => sum + count, 0)
  }

  lines(): string[] {
    return [...this.#counts].map(([promise, { first, count }]) => `${promise} (${count} times; first: ${first})`)
  }
}
