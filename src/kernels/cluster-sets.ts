import { type RunContext, yieldAndReport } from "./context.ts"
import { indexOverlaps, jaccardDistance, type OverlapIndex, visitOverlaps } from "./overlap-index.ts"
import { classifySets } from "./set-classes.ts"
import type { CsrSets } from "./set-users.ts"

/**
 * A partition of the sets: the cluster of each, or -1 if a set is empty. Clusters are numbered in the order they were
 * begun.
 */
export interface Clusters {
  clusterOf: Int32Array
  count: number
}

/**
 * Clusters of diameter at most δ in Jaccard distance, after Hong et al. 2009, §2.1. A cluster begins with the heaviest
 * set that is in none yet. It grows by the set whose largest distance to the members is smallest, as long as that is at
 * most δ. Among equals, a set that is equal to a member comes first, then the heaviest, then the one with the smallest
 * number.
 *
 * Exact. Equal sets are one vertex: they join one right after the other. Candidates are the sets near the first member,
 * found by `OverlapIndex`. A candidate's largest distance only grows. So the candidate with the smallest old value is
 * updated, and taken if its value is still the smallest. At δ = 1 no distance is too large, and all sets are one
 * cluster.
 */
export async function clusterSets(
  sets: CsrSets,
  options: { delta: number; weight: ArrayLike<number> },
  context: RunContext,
): Promise<Clusters> {
  const { delta } = options
  const classes = classifySets(sets, options)
  const clusterOfClass = new Int32Array(classes.offsets.length - 1).fill(delta >= 1 ? 0 : -1)
  let count = delta >= 1 && clusterOfClass.length > 0 ? 1 : 0
  if (delta < 1) {
    const index = indexOverlaps(classes, 1 - delta)
    const grow = createGrower(index, { delta, clusterOf: clusterOfClass })
    for (let seed = 0; seed < clusterOfClass.length; seed++) {
      if (seed % 65536 === 0)
        await yieldAndReport(context, { stage: "clustering queries", done: seed, total: clusterOfClass.length })
      if (clusterOfClass[seed] < 0) grow(seed, count++)
    }
  }
  return { clusterOf: classes.classOf.map((c) => (c < 0 ? -1 : clusterOfClass[c])), count }
}

/**
 * Grows a cluster from its first member. Classes are numbered by descending weight, so a smaller number comes first.
 */
function createGrower(
  index: OverlapIndex,
  { delta, clusterOf }: { delta: number; clusterOf: Int32Array },
): (seed: number, cluster: number) => void {
  const { sets } = index
  const seenFrom = new Int32Array(clusterOf.length).fill(-1)
  const queue = new DistanceQueue()
  return (seed, cluster) => {
    clusterOf[seed] = cluster
    seenFrom[seed] = seed
    queue.clear()
    visitOverlaps(index, seed, (other) => {
      if (seenFrom[other] === seed || clusterOf[other] >= 0) return
      seenFrom[other] = seed
      const distance = jaccardDistance(sets, seed, other)
      if (distance <= delta) queue.push({ set: other, distance, compared: 1 })
    })
    const members = [seed]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const before = next.distance
      for (; next.compared < members.length && next.distance <= delta; next.compared++) {
        next.distance = Math.max(next.distance, jaccardDistance(sets, members[next.compared], next.set))
      }
      if (next.distance > delta) continue
      if (next.distance > before) queue.push(next)
      else {
        clusterOf[next.set] = cluster
        members.push(next.set)
      }
    }
  }
}

interface Candidate {
  set: number
  /** The largest distance to the first `compared` members. */
  distance: number
  compared: number
}

const isBefore = (a: Candidate, b: Candidate) => a.distance < b.distance || (a.distance === b.distance && a.set < b.set)

/** A binary heap with the nearest candidate on top. */
class DistanceQueue {
  readonly #heap: Candidate[] = []

  clear(): void {
    this.#heap.length = 0
  }

  push(candidate: Candidate): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(candidate)
    while (at > 0 && isBefore(candidate, heap[(at - 1) >> 1])) {
      heap[at] = heap[(at - 1) >> 1]
      at = (at - 1) >> 1
    }
    heap[at] = candidate
  }

  pop(): Candidate | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++
      if (!isBefore(heap[child], last)) break
      heap[at] = heap[child]
      at = child
    }
    heap[at] = last
    return top
  }
}
