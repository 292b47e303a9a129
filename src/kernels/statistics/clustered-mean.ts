import { z95 } from "./wilson-interval.ts"

/** A mean of values that come in clusters. */
export interface ClusteredMean {
  mean: number
  /** Of 95 %; undefined where there are fewer than two clusters, or where all values are the same and nothing is known of their spread. */
  interval?: [number, number]
}

/**
 * The mean m of values y with sizes n (1 each unless given), Σy / Σn, and its interval by the normal distribution where the clusters are
 * what was drawn: m ± z √(C/(C − 1) Σ_c (y_c − m n_c)²) / Σn, y_c and n_c being the sums of a cluster and C their number.
 * Values of one user hang together; as so many single ones they would make the interval too narrow.
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
