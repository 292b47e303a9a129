/** How much of something there is at a size. */
export interface Grown {
  size: number
  amount: number
}

/**
 * The exponent b of amount ≈ a · size^b: the slope of the line of least squares through the logarithms. 1 is in
 * proportion to the size. NaN for fewer than two sizes.
 */
export function growthExponent(points: readonly Grown[]): number {
  const [x, y] = [points.map(({ size }) => Math.log(size)), points.map(({ amount }) => Math.log(amount))]
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(x), mean(y)]
  const products = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i] - meanY), 0)
  const squares = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0)
  return products / squares
}
