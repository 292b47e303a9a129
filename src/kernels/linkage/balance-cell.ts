const sweeps = 20

/**
 * Scales a square matrix of `size` rows to a doubly stochastic one, in place. The method is Sinkhorn and Knopp's: it
 * scales columns and rows in turn. A row or column of zeros stays as it is. At the end rows sum to 1, and columns
 * nearly to 1.
 */
export function balanceCell(matrix: Float32Array, size: number): void {
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let column = 0; column < size; column++) scale(matrix, { from: column, step: size, size })
    for (let row = 0; row < size; row++) scale(matrix, { from: row * size, step: 1, size })
  }
}

function scale(matrix: Float32Array, { from, step, size }: { from: number; step: number; size: number }): void {
  let sum = 0
  for (let i = 0, at = from; i < size; i++, at += step) sum += matrix[at]
  if (sum === 0) return
  for (let i = 0, at = from; i < size; i++, at += step) matrix[at] /= sum
}
