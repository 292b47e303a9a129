import type { RunContext } from "../kernels/context.ts"
import { searchSorted } from "../kernels/search-sorted.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Guarantee } from "../methods/guarantee.ts"
import type { AuditedClusters, AuditedGroups } from "./groups-audit.ts"
import {
  cellComparer,
  cellNumber,
  createMatrixMaker,
  distanceBetween,
  expectedMatrix,
  type Matrix,
  matrixOf,
  userStarts,
} from "./groups-matrices.ts"
import { isContained, RowKeys, rowKeySeeds, sortPairs } from "./pairs.ts"

/**
 * The matrix of each name of the release. A text or url that is not in the original or in the clusters is in cell -1.
 */
export function readMatrices({
  released,
  log,
  clusters,
}: {
  released: SearchLog
  log: SearchLog
  clusters: AuditedClusters
}): Matrix[] {
  const clusterOf = Int32Array.from({ length: released.queries.size }, (_, text) => {
    const query = log.queries.findBytes(released.queries.bytes(text))
    return query < 0 ? -1 : clusters.clusterOf[query]
  })
  const urlOf = Int32Array.from({ length: released.urls.size }, (_, url) =>
    log.urls.findBytes(released.urls.bytes(url)),
  )
  const starts = userStarts(released)
  return Array.from({ length: released.users.size }, (_, user) => {
    const held: number[] = []
    for (let row = starts[user]; row < starts[user + 1]; row++) {
      const [cluster, url] = [clusterOf[released.query[row]], released.url[row] < 0 ? -1 : urlOf[released.url[row]]]
      held.push(cluster < 0 || url < 0 ? -1 : cellNumber(log, cluster, url))
    }
    return matrixOf(held)
  })
}

/**
 * Compares the release with what must follow from the original and the audit. As many names must have each matrix as
 * there are members who should have it. Times must be public or, if members are not identical, times of the groups that
 * have the matrix. Matrices are compared by 64-bit keys.
 */
export function compareMembers(
  subject: MembersSubject,
  context: RunContext,
): { wrongMember?: string; wrongHour: number } {
  const { released, log, matrices, guarantee, time } = subject
  const keys = createKeys(context)
  const unit = time === "day" ? 86400 : 3600
  const { expected, allowed, remains } = expectMembers(subject, { keys, unit })
  const found = new KeyList()
  const keyOf = matrices.map((matrix) => keys.ofMatrix(matrix))
  for (const key of keyOf) found.push(key)
  const isSame = found.length === expected.length && isContained(found.sorted(), expected.sorted())
  const { distance, change } = guarantee.remains ?? { distance: 0, change: 0 }
  const isStated =
    !["paper", "totals"].includes(guarantee.mode) ||
    (Math.abs(remains.distance - distance) < 1e-9 && remains.change === change)
  const wrongMember = !isSame ? "matrices" : isStated ? undefined : "what remains differs from what is stated"
  const hours = allowed.sorted()
  const isPublic = findPublic(log, { k: guarantee.k, unit })
  const wrongHour =
    time === "drop"
      ? -1
      : released.time.findIndex((seconds, row) => {
          if (isPublic.has(Math.floor(seconds / unit))) return false
          const key = new KeyList()
          key.push(keys.ofHour(keyOf[released.user[row]], Math.floor(seconds / unit)))
          return searchSorted(hours, key.sorted()[0]) < 0
        })
  return { ...(wrongMember === undefined ? {} : { wrongMember }), wrongHour }
}

interface MembersSubject {
  released: SearchLog
  log: SearchLog
  groups: AuditedGroups
  clusters: AuditedClusters
  /** By name of the release. */
  matrices: readonly Matrix[]
  /** The cells that can be shown. */
  cells: Float64Array
  guarantee: Extract<Guarantee, { model: "groups" }>
  /** The policy for times. */
  time: string
}

/**
 * What follows from the original and the audit: the keys of all matrices, the keys of the times that members may have,
 * and how far members remain from their centroid.
 */
function expectMembers(
  { log, groups, clusters, cells, guarantee }: MembersSubject,
  { keys, unit }: { keys: ReturnType<typeof createKeys>; unit: number },
) {
  const matrixAt = createMatrixMaker(log, clusters, cells)
  const starts = userStarts(log)
  const compare = cellComparer(log, clusters)
  const expected = new KeyList()
  const allowed = new KeyList()
  const remains = { distance: 0, change: 0 }
  for (const [group, members] of groups.members.entries()) {
    const first = groups.centroids[group]
    if (first < 0) continue // reported as a wrong line
    const centroid = matrixAt(starts[first], starts[first + 1])
    const hours = new Set<number>()
    const ofGroup = new Map<string, [number, number]>()
    for (const user of members) {
      const { total } = guarantee.mode === "identical" ? centroid : matrixAt(starts[user], starts[user + 1])
      const matrix = expectedMatrix(centroid, total, { mode: guarantee.mode, compare })
      for (let row = starts[user]; row < starts[user + 1]; row++) {
        if (log.url[row] >= 0 && guarantee.mode !== "identical") hours.add(Math.floor(log.time[row] / unit))
      }
      if (matrix.total === 0) continue
      const key = keys.ofMatrix(matrix)
      expected.push(key)
      ofGroup.set(key.join(), key)
      remains.distance = Math.max(remains.distance, distanceBetween(matrix, centroid))
      remains.change = Math.max(remains.change, Math.abs(matrix.total - total))
    }
    for (const key of ofGroup.values()) for (const hour of hours) allowed.push(keys.ofHour(key, hour))
  }
  return { expected, allowed, remains }
}

/**
 * The hours or days, as the release shows them, that contain the start of a public period. A period is public if k
 * users clicked in it. A period is one hour, or the smallest power of two of hours for which a public period exists.
 */
function findPublic(log: SearchLog, { k, unit }: { k: number; unit: number }): Set<number> {
  const clicks = Array.from(log.url.keys()).filter((row) => log.url[row] >= 0)
  for (let period = 3600; period < 2 ** 32; period *= 2) {
    const usersOf = new Map<number, Set<number>>()
    for (const row of clicks) {
      const start = Math.floor(log.time[row] / period) * period
      const users = usersOf.get(start) ?? new Set<number>()
      usersOf.set(start, users.size < k ? users.add(log.user[row]) : users)
    }
    const starts = [...usersOf].filter(([, users]) => users.size >= k).map(([start]) => start)
    if (starts.length > 0) return new Set(starts.map((start) => Math.floor(start / unit)))
  }
  return new Set([0])
}

/** 64-bit keys under seeds that nobody knows in advance. */
function createKeys(context: RunContext) {
  const seeds = new Uint32Array(rowKeySeeds)
  context.random.fill(seeds)
  const one = new RowKeys(1, seeds)
  return {
    ofMatrix({ cells, counts }: Matrix): [number, number] {
      let [high, low] = [0, 0]
      for (const [i, cell] of cells.entries()) {
        one.set(0, Math.floor(cell / 2 ** 32), cell | 0, counts[i])
        high = (high + one.high[0]) | 0
        low = (low + one.low[0]) | 0
      }
      return [high, low]
    },
    ofHour([high, low]: [number, number], hour: number): [number, number] {
      one.set(0, high, low, hour, 1)
      return [one.high[0], one.low[0]]
    },
  }
}

class KeyList {
  readonly #high: number[] = []
  readonly #low: number[] = []

  get length(): number {
    return this.#high.length
  }

  push([high, low]: [number, number]): void {
    this.#high.push(high)
    this.#low.push(low)
  }

  sorted(): BigUint64Array {
    return sortPairs(Int32Array.from(this.#high), Int32Array.from(this.#low))
  }
}
