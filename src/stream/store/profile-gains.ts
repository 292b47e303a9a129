import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { putCounts, VarintWriter } from "./profile-codec.ts"
import type { ProfileCursor, StoredProfile } from "./profile-runs.ts"

/** What profiles gain: counts [starts[i], starts[i + 1]) belong to user i, sorted by topic. */
export interface ProfileGains {
  users: { size: number; arena: Uint8Array; offsets: Uint32Array }
  starts: Uint32Array
  node: Int32Array
  count: Float64Array
}

/** The gains as profiles in order of user names. Users without gains are left out. */
export class GainsCursor implements ProfileCursor {
  readonly now: StoredProfile = { user: new Uint8Array(0), counts: new Uint8Array(0) }
  readonly #gains: ProfileGains
  readonly #order: Uint32Array
  readonly #out = new VarintWriter()
  #at = 0

  constructor(gains: ProfileGains) {
    this.#gains = gains
    this.#order = orderByName(gains)
  }

  step(): boolean {
    if (this.#at === this.#order.length) return false
    const { starts, node, count } = this.#gains
    const user = this.#order[this.#at++]
    this.#out.at = 0
    putCounts(this.#out, { node, count, from: starts[user], to: starts[user + 1] })
    this.now.user = nameOf(this.#gains, user)
    this.now.counts = this.#out.written()
    return true
  }

  async load(): Promise<boolean> {
    return this.step()
  }
}

function nameOf({ users: { arena, offsets } }: ProfileGains, user: number): Uint8Array {
  return arena.subarray(offsets[user], offsets[user + 1])
}

/**
 * Users with gains, sorted by the bytes of their names: first by the first eight bytes, then, if these are equal, by
 * all.
 */
function orderByName(gains: ProfileGains): Uint32Array {
  const { size, arena, offsets } = gains.users
  const [high, low] = [0, 4].map((skip) => {
    const words = new Uint32Array(size)
    for (let user = 0; user < size; user++) {
      const start = offsets[user] + skip
      const end = offsets[user + 1]
      for (let i = start; i < start + 4; i++) words[user] = words[user] * 256 + (i < end ? arena[i] : 0)
    }
    return words
  })
  const order = orderByNumbers([high, low]).filter((user) => gains.starts[user] < gains.starts[user + 1])
  for (let from = 0, to = 1; from < order.length; from = to++) {
    const first = order[from]
    while (to < order.length && high[order[to]] === high[first] && low[order[to]] === low[first]) to++
    if (to - from > 1) order.subarray(from, to).sort((a, b) => Buffer.compare(nameOf(gains, a), nameOf(gains, b)))
  }
  return order
}

/** Counts what is shown under users, one record at a time. */
export class GainsBuilder {
  readonly #users = new Map<string, Map<number, number>>()
  records = 0

  add(user: string, topic: number): void {
    if (topic < 0) return
    this.records++
    const counts = this.#users.get(user) ?? new Map<number, number>()
    this.#users.set(user, counts.set(topic, (counts.get(topic) ?? 0) + 1))
  }

  /** Counts by topic, for each user. */
  get counts(): ReadonlyMap<string, ReadonlyMap<number, number>> {
    return this.#users
  }

  build(): ProfileGains {
    const names = [...this.#users.keys()].map((name) => Buffer.from(name))
    const offsets = new Uint32Array(names.length + 1)
    for (const [i, name] of names.entries()) offsets[i + 1] = offsets[i] + name.length
    const sorted = [...this.#users.values()].map((counts) => [...counts].sort(([a], [b]) => a - b))
    const starts = new Uint32Array(names.length + 1)
    for (const [i, counts] of sorted.entries()) starts[i + 1] = starts[i] + counts.length
    const all = sorted.flat()
    return {
      users: { size: names.length, arena: Buffer.concat(names), offsets },
      starts,
      node: Int32Array.from(all, ([node]) => node),
      count: Float64Array.from(all, ([, count]) => count),
    }
  }
}
