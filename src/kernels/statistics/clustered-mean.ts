import { z95 } from "./wilson-interval.ts"

/** A mean of values that come in clusters. */
export interface ClusteredMean {
  mean: number
  /**
   * 95 % interval; undefined for fewer than two clusters, or if every cluster has the same mean and the spread is
   * unknown.
   */
  interval?: [number, number]
}

/**
 * The mean m = Σy / Σn of values y with sizes n (default 1 each), and its interval by the normal distribution if
 * clusters are the sampled units: m ± z √(C/(C − 1) Σ_c (y_c − m n_c)²) / Σn, where y_c and n_c are the sums of a
 * cluster and C is the number of clusters. Values of one user are correlated. Treating them as independent would make
 * the interval too narrow.
 */
export function clusteredMean(
  values: ArrayLike<number>,
  { clusters, sizes }: { clusters: ArrayLike<number>; sizes?: ArrayLike<number> },
): ClusteredMean {
  const sums = new Map<number, { y: number; n: number }>()
  let [y, n] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    const size = sizes === undefined ? 1 : sizes[i]
    const sum = sums.get(clusters[i]) ?? { y: 0, n: 0 }
    sums.set(clusters[i], sum)
    sum.y += values[i]
    sum.n += size
    y += values[i]
    n += size
  }
  const mean = n === 0 ? 0 : y / n
  let squares = 0
  for (const sum of sums.values()) squares += (sum.y - mean * sum.n) ** 2
  if (sums.size < 2 || squares === 0) return { mean }
  const spread = (z95 * Math.sqrt((squares * sums.size) / (sums.size - 1))) / n
  return { mean, interval: [mean - spread, mean + spread] }
}
