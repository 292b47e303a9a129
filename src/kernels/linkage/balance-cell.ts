const sweeps = 20

/**
 * Scales a square matrix of `size` rows to a doubly stochastic one, in place. The method is Sinkhorn and Knopp's: it
 * scales columns and rows in turn. A row or column of zeros stays as it is. At the end rows sum to 1, and columns
 * nearly to 1.
 *
 * Each sweep reads the matrix once: while a row is scaled, its new values are added to the sums of the columns.
 */
export function balanceCell(matrix: Float32Array, size: number): void {
  let sums = new Float64Array(size)
  let next = new Float64Array(size)
  for (let row = 0, at = 0; row < size; row++) for (let i = 0; i < size; i++) sums[i] += matrix[at++]
  for (let sweep = 0; sweep < sweeps; sweep++) {
    next.fill(0)
    for (let i = 0; i < size; i++) if (sums[i] === 0) sums[i] = 1
    for (let from = 0; from < matrix.length; from += size) {
      let sum = 0
      for (let i = 0; i < size; i++) {
        matrix[from + i] /= sums[i]
        sum += matrix[from + i]
      }
      if (sum === 0) continue
      for (let i = 0; i < size; i++) {
        matrix[from + i] /= sum
        next[i] += matrix[from + i]
      }
    }
    const held = sums
    sums = next
    next = held
  }
}
