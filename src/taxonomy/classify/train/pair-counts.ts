import { PairTable } from "../../../kernels/pair-table.ts"

/** Pairs (a, b) with a weight and the number of distinct users. Rows must be grouped by user. */
export class PairCounts {
  size = 0
  a = new Int32Array(1024)
  b = new Int32Array(1024)
  weight = new Float64Array(1024)
  users = new Uint32Array(1024)
  #lastUser = new Int32Array(1024)
  readonly #table = new PairTable({ expected: 1024 })

  add(a: number, b: number, { weight, user }: { weight: number; user: number }): void {
    const at = this.#table.intern(a, b, this.size)
    if (at === this.size) {
      if (this.size === this.a.length) this.#grow()
      this.a[at] = a
      this.b[at] = b
      this.#lastUser[at] = -1
      this.size++
    }
    this.weight[at] += weight
    if (this.#lastUser[at] === user) return
    this.#lastUser[at] = user
    this.users[at]++
  }

  #grow(): void {
    const grown = <T extends Int32Array | Uint32Array | Float64Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    const length = this.size * 2
    this.a = grown(this.a, new Int32Array(length))
    this.b = grown(this.b, new Int32Array(length))
    this.weight = grown(this.weight, new Float64Array(length))
    this.users = grown(this.users, new Uint32Array(length))
    this.#lastUser = grown(this.#lastUser, new Int32Array(length))
  }
}

/** The pairs of each a in [0, size), heaviest first, as rows of indices into the counts. Ties: the smaller b. */
export function rowsByWeight(counts: PairCounts, size: number): { offsets: Uint32Array; pairs: Uint32Array } {
  const offsets = new Uint32Array(size + 1)
  for (let i = 0; i < counts.size; i++) offsets[counts.a[i] + 1]++
  for (let a = 0; a < size; a++) offsets[a + 1] += offsets[a]
  const next = offsets.slice()
  const pairs = new Uint32Array(counts.size)
  for (let i = 0; i < counts.size; i++) pairs[next[counts.a[i]]++] = i
  const heavier = (i: number, j: number) => counts.weight[j] - counts.weight[i] || counts.b[i] - counts.b[j]
  for (let a = 0; a < size; a++)
    if (offsets[a + 1] - offsets[a] > 1) pairs.subarray(offsets[a], offsets[a + 1]).sort(heavier)
  return { offsets, pairs }
}
