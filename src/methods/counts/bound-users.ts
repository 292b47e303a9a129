import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { PairTable } from "../../kernels/pair-table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type History, histories } from "./histories.ts"
import { isTransition, type TransitionRule } from "./transition-rule.ts"
import { type KeyBound, UserKeys } from "./user-keys.ts"

/** Bounded counts of keys (a, b): how many users have each key, and how often they have it in total. */
export interface KeyCounts {
  size: number
  a: Int32Array
  b: Int32Array
  users: Uint32Array
  total: Float64Array
}

/** Counts what users add to each query. A search counts once, however many clicks it has. */
export async function countBoundedQueries(
  log: SearchLog,
  bound: KeyBound,
  context: RunContext,
): Promise<{ users: Uint32Array; total: Float64Array }> {
  const users = new Uint32Array(log.queries.size)
  const total = new Float64Array(log.queries.size)
  await walkUsers(log, bound, context, {
    note: ({ events, size }, keys) => {
      for (let i = 0; i < size; i++) keys.add(log.query[events[i]], 0)
    },
    count: (query, _, times) => {
      users[query]++
      total[query] += times
    },
  })
  return { users, total }
}

/**
 * Counts clicks (query, url). Every click of a history takes part in the bound. Only clicks on released queries, marked
 * 1 in `among`, are counted.
 */
export async function countBoundedClicks(
  log: SearchLog,
  bound: KeyBound,
  { among }: { among: Uint8Array },
  context: RunContext,
): Promise<KeyCounts> {
  const counts = new PairCounts()
  await walkUsers(log, bound, context, {
    note: ({ events, size }, keys) => {
      for (let i = 0; i < size; i++) {
        const event = log.event[events[i]]
        for (let row = events[i]; row < log.rows && log.event[row] === event; row++) {
          if (log.url[row] >= 0) keys.add(log.query[row], log.url[row])
        }
      }
    },
    count: (query, url, times) => {
      if (among[query] === 1) counts.add(query, url, times)
    },
  })
  return counts.freeze()
}

/**
 * Counts transitions (query, next): two consecutive searches of a user that the rule accepts. They are bounded as
 * clicks are. Only transitions between two released queries are counted.
 */
export async function countBoundedTransitions(
  log: SearchLog,
  bound: KeyBound,
  { among, rule }: { among: Uint8Array; rule: TransitionRule },
  context: RunContext,
): Promise<KeyCounts> {
  const counts = new PairCounts()
  await walkUsers(log, bound, context, {
    note: ({ events, size }, keys) => {
      for (let i = 1; i < size; i++) {
        const [last, next] = [events[i - 1], events[i]]
        if (isTransition(log, { last, next }, rule)) keys.add(log.query[last], log.query[next])
      }
    },
    count: (query, next, times) => {
      if (among[query] === 1 && among[next] === 1) counts.add(query, next, times)
    },
  })
  return counts.freeze()
}

interface Walk {
  note(history: History, keys: UserKeys): void
  count(a: number, b: number, times: number): void
}

async function walkUsers(log: SearchLog, bound: KeyBound, context: RunContext, { note, count }: Walk): Promise<void> {
  const keys = new UserKeys(bound)
  let seen = 0
  for (const history of histories(log)) {
    note(history, keys)
    keys.close(count, context.random)
    if (++seen % 16384 === 0) await yieldAndReport(context, { stage: "bounding", done: seen, total: log.users.size })
  }
}

/** Columns that grow with the number of distinct keys. */
export class PairCounts {
  #size = 0
  readonly #table = new PairTable({ expected: 1 << 16 })
  #a = new Int32Array(1 << 12)
  #b = new Int32Array(1 << 12)
  #users = new Uint32Array(1 << 12)
  #total = new Float64Array(1 << 12)

  add(a: number, b: number, times: number): void {
    const key = this.#table.intern(a, b, this.#size)
    if (key === this.#size) {
      if (key === this.#a.length) this.#grow()
      this.#a[key] = a
      this.#b[key] = b
      this.#size++
    }
    this.#users[key]++
    this.#total[key] += times
  }

  /** The counts of all keys, or of those that `keep` accepts. */
  freeze(keep?: (a: number, b: number) => boolean): KeyCounts {
    if (keep !== undefined) this.#compact(keep)
    const size = this.#size
    return {
      size,
      a: this.#a.subarray(0, size),
      b: this.#b.subarray(0, size),
      users: this.#users.subarray(0, size),
      total: this.#total.subarray(0, size),
    }
  }

  /** Overwrites the keys that are not kept. Nothing can be added afterwards. */
  #compact(keep: (a: number, b: number) => boolean): void {
    let kept = 0
    for (let key = 0; key < this.#size; key++) {
      if (!keep(this.#a[key], this.#b[key])) continue
      this.#a[kept] = this.#a[key]
      this.#b[kept] = this.#b[key]
      this.#users[kept] = this.#users[key]
      this.#total[kept] = this.#total[key]
      kept++
    }
    this.#size = kept
  }

  #grow(): void {
    const room = this.#a.length * 2
    const larger = <A extends Int32Array | Uint32Array | Float64Array>(old: A, fresh: A): A => {
      fresh.set(old)
      return fresh
    }
    this.#a = larger(this.#a, new Int32Array(room))
    this.#b = larger(this.#b, new Int32Array(room))
    this.#users = larger(this.#users, new Uint32Array(room))
    this.#total = larger(this.#total, new Float64Array(room))
  }
}
