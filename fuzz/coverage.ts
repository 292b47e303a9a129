/** The counters that istanbul adds to a module: by statement, and by arm of each branch. */
interface ModuleCounters {
  s: Record<number, number>
  b: Record<number, number[]>
}

/** The name under which modules keep their counters. */
export const countersName = "__fuzzCounters__"

const buckets = 8

/** How often something ran, roughly: 1, 2, 3, to 7, to 15, to 31, to 127, more. */
function bucketOf(hits: number): number {
  if (hits < 4) return hits - 1
  return hits < 8 ? 3 : hits < 16 ? 4 : hits < 32 ? 5 : hits < 128 ? 6 : 7
}

/** Records what all inputs so far reached. */
export class Coverage {
  readonly #seen = new Map<string, { seen: Uint8Array; statements: number; arms: number[] }>()
  /** Number of statements and arms of branches that were reached. */
  reached = 0

  /** Counts what ran since the last call, and clears the counters. Returns how much ran, and how much of it was new. */
  take(): { breadth: number; fresh: number } {
    let fresh = 0
    let breadth = 0
    for (const [path, { s, b }] of Object.entries(countersOf(globalThis))) {
      const known = this.#seen.get(path) ?? this.#meet(path, { s, b })
      const { seen, statements, arms } = known
      const mark = (at: number, hits: number) => {
        breadth++
        const bits = seen[at]
        const bit = 1 << bucketOf(hits)
        if ((bits & bit) !== 0) return
        if (bits === 0) this.reached++
        seen[at] = bits | bit
        fresh++
      }
      for (let i = 0; i < statements; i++) {
        const hits = s[i]
        if (hits === 0) continue
        s[i] = 0
        mark(i, hits)
      }
      for (let i = 0, at = statements; i < arms.length; i++) {
        const branch = b[i]
        for (let arm = 0; arm < arms[i]; arm++, at++) {
          if (branch[arm] === 0) continue
          mark(at, branch[arm])
          branch[arm] = 0
        }
      }
    }
    return { breadth, fresh }
  }

  #meet(path: string, { s, b }: ModuleCounters) {
    const statements = Object.keys(s).length
    const arms = Object.values(b).map((branch) => branch.length)
    const size = arms.reduce((sum, count) => sum + count, statements)
    const known = { seen: new Uint8Array(size * (buckets / 8)), statements, arms }
    this.#seen.set(path, known)
    return known
  }
}

function countersOf(scope: object): Record<string, ModuleCounters> {
  return (scope as { [countersName]?: Record<string, ModuleCounters> })[countersName] ?? {}
}
