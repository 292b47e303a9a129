import { searchSorted } from "../kernels/search-sorted.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { AuditedClusters, ClickedUrls } from "./groups-audit.ts"
import { countDistinctPairs } from "./pairs.ts"

/** What may be shown of a log, according to the parameters of its release. */
export interface Showing {
  minCluster: number
  isQueryShown: (query: number) => boolean
  isUrlShown: (url: number) => boolean
}

/** A matrix: its cells, ascending, and the number of query objects in each. */
export interface Matrix {
  cells: number[]
  counts: number[]
  total: number
}

/** The number of a cell: cluster · urls + url. */
export const cellNumber = (log: SearchLog, cluster: number, url: number) => cluster * log.urls.size + url

/** Finds the queries and urls that have enough users, counted by sorting. */
export function findShowable(
  log: SearchLog,
  {
    k,
    minCluster,
    minQueryUsers,
    isThreshold,
  }: Record<"k" | "minCluster" | "minQueryUsers", number> & { isThreshold: boolean },
): Showing {
  const users = countDistinctPairs(log.query, log.user, log.queries.size)
  const clickers = countDistinctPairs(log.url, log.user, log.urls.size)
  return {
    minCluster,
    isQueryShown: (query) => users[query] >= minQueryUsers,
    isUrlShown: (url) => !isThreshold || clickers[url] >= k,
  }
}

/** The cells that have a shown query, sorted. */
export function showableCells(
  log: SearchLog,
  { clusters, clicked, showing }: { clusters: AuditedClusters; clicked: ClickedUrls; showing: Showing },
): Float64Array {
  const { clusterOf, sizes } = clusters
  const cells: number[] = []
  for (const [query, urls] of clicked) {
    const cluster = clusterOf[query]
    if (cluster < 0 || sizes[cluster] < showing.minCluster || !showing.isQueryShown(query)) continue
    for (const url of urls) if (showing.isUrlShown(url)) cells.push(cellNumber(log, cluster, url))
  }
  return Float64Array.from(cells).sort()
}

/**
 * Returns a function that makes the matrix of the rows in [from, to). Rows without a click or outside the cells do not
 * count.
 */
export function createMatrixMaker(log: SearchLog, { clusterOf }: AuditedClusters, cells: Float64Array) {
  return (from: number, to: number): Matrix => {
    const held: number[] = []
    for (let row = from; row < to; row++) {
      const cluster = clusterOf[log.query[row]]
      if (log.url[row] < 0 || cluster < 0) continue
      const cell = cellNumber(log, cluster, log.url[row])
      if (searchSorted(cells, cell) >= 0) held.push(cell)
    }
    return matrixOf(held)
  }
}

/** The matrix of objects in these cells. */
export function matrixOf(held: number[]): Matrix {
  held.sort((a, b) => a - b)
  const matrix: Matrix = { cells: [], counts: [], total: held.length }
  for (const cell of held) {
    if (matrix.cells.at(-1) === cell) matrix.counts[matrix.counts.length - 1]++
    else {
      matrix.cells.push(cell)
      matrix.counts.push(1)
    }
  }
  return matrix
}

/** The first row of each user, followed by the number of rows. */
export function userStarts({ user, rows, users }: SearchLog): Uint32Array {
  const starts = new Uint32Array(users.size + 1)
  for (let row = 0; row < rows; row++) starts[user[row] + 1]++
  for (let u = 0; u < users.size; u++) starts[u + 1] += starts[u]
  return starts
}

/**
 * The matrix that a member with `total` objects must have in a mode: Hong et al. 2009, §3.2, and the manifest's
 * promise.
 */
export function expectedMatrix(
  centroid: Matrix,
  total: number,
  { mode, compare }: { mode: string; compare: (a: number, b: number) => number },
): Matrix {
  if (mode === "identical" || centroid.total === 0) return centroid
  const own = Math.max(1, total)
  if (mode === "paper") return withCounts(centroid, (count) => ceilingOf(BigInt(count) * BigInt(own), centroid.total))
  if (mode === "totals") return keepTotal(centroid, own, compare)
  const divisor = divisorOf(centroid)
  const least = centroid.total / divisor
  const below = Math.max(1, Math.floor(total / least))
  const times = Math.abs((below + 1) * least - total) < Math.abs(below * least - total) ? below + 1 : below
  return withCounts(centroid, (count) => (count / divisor) * times)
}

/** Compares cells by url and then by the first query of the cluster, in the order of the log. */
export const cellComparer =
  ({ urls }: SearchLog, { first }: AuditedClusters) =>
  (a: number, b: number) =>
    (a % urls.size) - (b % urls.size) || first[Math.floor(a / urls.size)] - first[Math.floor(b / urls.size)]

/**
 * Distributes `total` objects by largest remainder: the remaining objects go, one each, to the cells furthest below
 * their share.
 */
function keepTotal(centroid: Matrix, total: number, compare: (a: number, b: number) => number): Matrix {
  const whole = BigInt(centroid.total)
  const due = centroid.counts.map((count) => BigInt(count) * BigInt(total))
  const counts = due.map((share) => Number(share / whole))
  const places = [...counts.keys()].sort((a, b) => {
    const [x, y] = [due[a] % whole, due[b] % whole]
    return x === y ? compare(centroid.cells[a], centroid.cells[b]) : x < y ? 1 : -1
  })
  const missing = total - counts.reduce((sum, count) => sum + count, 0)
  for (const place of places.slice(0, missing)) counts[place]++
  const held = centroid.cells.flatMap((cell, i) => Array<number>(counts[i]).fill(cell))
  return matrixOf(held)
}

/** The matrix in the smallest integers with the same proportions. */
export function reduced(matrix: Matrix): Matrix {
  const divisor = divisorOf(matrix)
  return withCounts(matrix, (count) => count / divisor)
}

/**
 * D of two matrices: half the sum of the differences of their shares. The first must have no cell that the second
 * lacks.
 */
export function distanceBetween(a: Matrix, b: Matrix): number {
  const [x, y] = [BigInt(a.total), BigInt(b.total)]
  const own = new Map(a.cells.map((cell, i) => [cell, BigInt(a.counts[i])]))
  let sum = 0n
  for (const [i, cell] of b.cells.entries()) {
    const difference = (own.get(cell) ?? 0n) * y - BigInt(b.counts[i]) * x
    sum += difference < 0n ? -difference : difference
  }
  return Number(sum) / Number(2n * x * y)
}

function withCounts({ cells, counts }: Matrix, change: (count: number) => number): Matrix {
  const changed = counts.map(change)
  return { cells, counts: changed, total: changed.reduce((sum, count) => sum + count, 0) }
}

const ceilingOf = (over: bigint, under: number) => Number((over + BigInt(under) - 1n) / BigInt(under))

function divisorOf({ counts }: Matrix): number {
  return counts.reduce((a, b) => {
    let [x, y] = [a, b]
    while (y > 0) [x, y] = [y, x % y]
    return x
  }, 0)
}
