import { laplaceProbability, laplaceUpperTail, laplaceVariance } from "#dist/kernels/noise/laplace-distribution.js"
import { binomialTail } from "#dist/kernels/statistics/binomial.js"
import { chiSquareTest } from "#dist/kernels/statistics/chi-square.js"

/** p-values of the drawn numbers under discrete Laplace noise of this scale. Each is then uniform. */
interface Verdict {
  /** Cell by cell. */
  shape: number
  zero: number
  symmetry: number
  /** The number beyond ± three and a half scales. */
  tails: number
  /** Deviations of mean and variance in standard errors. Approximately normal. */
  mean: number
  variance: number
}

export function judgeNoise(drawn: ArrayLike<number>, scale: number): Verdict {
  const values = Array.from(drawn)
  const n = values.length
  const count = (holds: (x: number) => boolean) => values.reduce((sum, x) => sum + (holds(x) ? 1 : 0), 0)
  const share = (hits: number, chance: number) => judgeShare(hits, n, { p: chance })
  const far = Math.ceil(3.5 * scale)
  const [positive, negative] = [count((x) => x > 0), count((x) => x < 0)]
  const variance = laplaceVariance(scale)
  // E X⁴ = V·(1 + 6V): the fourth derivative of the generating function at 1.
  const fourth = variance * (1 + 6 * variance)
  const mean = values.reduce((sum, x) => sum + x, 0) / n
  const squares = values.reduce((sum, x) => sum + x * x, 0) / n
  return {
    shape: judgeShape(values, scale),
    zero: share(
      count((x) => x === 0),
      laplaceProbability(0, scale),
    ),
    symmetry: judgeShare(positive, positive + negative, { p: 0.5 }),
    tails: share(
      count((x) => Math.abs(x) >= far),
      2 * laplaceUpperTail(far, scale),
    ),
    mean: mean / Math.sqrt(variance / n),
    variance: (squares - variance) / Math.sqrt((fourth - variance ** 2) / n),
  }
}

/** Twice the smaller tail: at most α with probability at most α, however few hits are expected. */
function judgeShare(hits: number, n: number, { p }: { p: number }): number {
  return 2 * Math.min(binomialTail(hits, n, { p }), binomialTail(n - hits, n, { p: 1 - p }))
}

/** χ² over cells of consecutive values, each with an expectation of 50 or more. The two ends are cells too. */
function judgeShape(values: readonly number[], scale: number): number {
  const n = values.length
  const starts: number[] = []
  // P(X ≥ starts[i]) falls by at least 50/n from each to the next.
  let above = 1
  const reach = Math.ceil(scale * Math.log(n / 25)) + 1
  const step = Math.ceil(scale / 2000)
  for (let x = -reach; x <= reach; x += step) {
    const tail = laplaceUpperTail(x, scale)
    if (above - tail >= 50 / n && tail >= 50 / n) {
      starts.push(x)
      above = tail
    }
  }
  const edges = Float64Array.from(starts)
  const observed = new Array<number>(edges.length + 1).fill(0)
  for (const x of values) observed[countUpTo(edges, x)]++
  const tails = [1, ...starts.map((x) => laplaceUpperTail(x, scale)), 0]
  return chiSquareTest(
    observed,
    observed.map((_, i) => n * (tails[i] - tails[i + 1])),
  ).p
}

/** How many of the ascending edges are at or below x. */
function countUpTo(edges: Float64Array, x: number): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle] <= x) low = middle + 1
    else high = middle
  }
  return low
}
