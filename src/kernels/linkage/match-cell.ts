/** Odds stay between this and its inverse, so that a nearly certain pair does not drown the others. */
const least = 1e-6
const atLeast = (value: number) => Math.max(value, least)

/**
 * Estimates which user of one cell issued which unit. Each of n units has one user, and each place of the n users has
 * one unit. Sum-product on these two kinds of constraints; messages are odds. Each pair has a weight w, 0 if the pair
 * is impossible. A constraint says that exactly one of its pairs is true. It sends each pair 1 / Σ of the messages of
 * its other pairs. First columns, then rows, twice.
 */
export class CellMatcher {
  /** By pair of unit and place, at unit × n + place. The caller writes it. */
  readonly weight: Float64Array
  /** By pair: the odds that the cell gives it, without its own weight. */
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
