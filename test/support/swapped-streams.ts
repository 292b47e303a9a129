import type { ReleasedStream } from "#dist/kernels/linkage/released-stream.js"
import type { RandomSource } from "#dist/kernels/random.js"

/** An incoming record. One that has left carries the user shown and the user who issued it. */
export interface Arrival {
  user: number
  text: number
  category: number
  time: number
}
export type Departure = Arrival & { truth: number }

export function streamOf(rows: readonly Departure[]): ReleasedStream {
  const column = (name: keyof Departure) => Int32Array.from(rows, (row) => row[name])
  return {
    user: column("user"),
    text: column("text"),
    category: column("category"),
    time: column("time"),
    truth: column("truth"),
  }
}

/** Algorithm 1 of Pàmies-Estrems et al. 2020 as written: users and queries leave one by one, with their own times. */
export function swapOneByOne(
  arrivals: readonly Arrival[],
  { k, random }: { k: number; random: RandomSource },
): Departure[] {
  const pools = new Map<number, { users: number[]; queries: Arrival[] }>()
  const left: Departure[] = []
  for (const arrival of arrivals) {
    const pool = pools.get(arrival.category) ?? { users: [], queries: [] }
    pools.set(arrival.category, pool)
    pool.users.push(arrival.user)
    pool.queries.push(arrival)
    while (new Set(pool.users).size > k) {
      const [query] = pool.queries.splice(random.below(pool.queries.length), 1)
      const others = pool.users.flatMap((user, at) => (user === query.user ? [] : [at]))
      const [user] = pool.users.splice(others[random.below(others.length)], 1)
      left.push({ ...query, user, truth: query.user })
    }
  }
  return left
}

/**
 * Cells of k + 1 distinct users, with one unit (the waiting records of one user and text) from each. Users are dealt by
 * a uniform derangement, in random order. Records have the time of the closing, or their own.
 */
export function swapInCells(
  arrivals: readonly Arrival[],
  { k, random, time }: { k: number; random: RandomSource; time: "closing" | "own" },
): Departure[] {
  const waiting = new Map<number, Map<number, Arrival[][]>>()
  const left: Departure[] = []
  for (const arrival of arrivals) {
    const users = waiting.get(arrival.category) ?? new Map<number, Arrival[][]>()
    waiting.set(arrival.category, users)
    const own = users.get(arrival.user) ?? []
    users.set(arrival.user, own)
    const unit = own.find(([{ text }]) => text === arrival.text)
    if (unit === undefined) own.push([arrival])
    else unit.push(arrival)
    while (users.size > k) {
      const members = [...users.keys()]
      let dealt = shuffled(members, random)
      while (dealt.some((user, i) => user === members[i])) dealt = shuffled(members, random)
      const cell = members.map((truth, i) => ({ truth, user: dealt[i], unit: users.get(truth)?.shift() ?? [] }))
      for (const { truth, user, unit } of shuffled(cell, random)) {
        for (const record of unit) {
          left.push({ ...record, user, truth, time: time === "own" ? record.time : arrival.time })
        }
      }
      for (const user of members) if (users.get(user)?.length === 0) users.delete(user)
    }
  }
  return left
}

function shuffled<T>(items: readonly T[], random: RandomSource): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const held = order[i]
    order[i] = order[j]
    order[j] = held
  }
  return order
}
