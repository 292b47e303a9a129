/**
 * Spearman's ρ of two lists of paired values: Pearson's correlation of their ranks. Equal values share the mean of
 * their ranks. NaN if all values of one list are equal.
 */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new RangeError("the two lists differ in length")
  const [x, y] = [ranksOf(a), ranksOf(b)]
  const middle = (x.length + 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    xy += (x[i] - middle) * (y[i] - middle)
    xx += (x[i] - middle) ** 2
    yy += (y[i] - middle) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}

function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i).sort((i, j) => values[i] - values[j])
  const ranks = new Float64Array(values.length)
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    for (let i = from; i < to; i++) ranks[order[i]] = (from + 1 + to) / 2
  }
  return ranks
}
