/** Odds are kept between this and its inverse: what is nearly certain must not drown the rest. */
const least = 1e-6
const atLeast = (value: number) => Math.max(value, least)

/**
 * Who may have issued which unit of one cell: each of n units has one user, and each place of the n users has one unit.
 * Sum-product on these two kinds of constraints, messages being odds. With w the weight of each pair (0 where it cannot
 * be), a constraint that exactly one of its pairs is true says 1 / Σ of what the others of its pairs say; columns, then
 * rows, twice.
 */
export class CellMatcher {
  /** By pair of unit and place, unit × n + place: to be written by the caller. */
  readonly weight: Float64Array
  /** What the cell says of a pair, without its own weight: odds. */
  readonly said: Float64Array
  readonly #row: Float64Array

  constructor({ largest }: { largest: number }) {
    this.weight = new Float64Array(largest * largest)
    this.said = new Float64Array(largest * largest)
    this.#row = new Float64Array(largest * largest)
  }

  /** Writes `said` for a cell of n units. */
  match(n: number): void {
    const { weight, said } = this
    const row = this.#row.fill(1, 0, n * n)
    for (let sweep = 0; sweep < 2; sweep++) {
      for (let place = 0; place < n; place++) {
        let sum = 0
        for (let e = place; e < n * n; e += n) sum += weight[e] * row[e]
        for (let e = place; e < n * n; e += n) said[e] = 1 / atLeast(sum - weight[e] * row[e])
      }
      for (let first = 0; first < n * n; first += n) {
        let sum = 0
        for (let e = first; e < first + n; e++) sum += weight[e] * said[e]
        for (let e = first; e < first + n; e++) row[e] = 1 / atLeast(sum - weight[e] * said[e])
      }
    }
    for (let e = 0; e < n * n; e++) said[e] = Math.min(1 / least, atLeast(said[e] * row[e]))
  }
}
