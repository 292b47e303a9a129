import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import type { RandomSource } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { keysOfLog, keysOfRelease } from "./match-rows.ts"

/**
 * Makes a function from a name to a random user who has all its texts at their times; -1 if there is none. The rarest
 * pair of text and time of a name is checked first, because it leaves the fewest candidates.
 */
export function findOwner(
  log: SearchLog,
  released: SearchLog,
  { timeUnit, random }: { timeUnit: number; random: RandomSource },
): (name: number) => number {
  const [ours, theirs] = [keysOfLog(log, timeUnit), keysOfRelease(released, log, timeUnit)]
  const order = orderByNumbers([ours.query, ours.time])
  const firstRow = new Uint32Array(released.users.size + 1)
  for (const name of released.user) firstRow[name + 1]++
  for (let name = 0; name < released.users.size; name++) firstRow[name + 1] += firstRow[name]

  /** The first position in `order` whose row does not come before this text and time. */
  const lowerBound = (query: number, time: number): number => {
    let [low, high] = [0, order.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const row = order[middle]
      if (ours.query[row] < query || (ours.query[row] === query && ours.time[row] < time)) low = middle + 1
      else high = middle
    }
    return low
  }
  const usersOf = (row: number): Set<number> => {
    const users = new Set<number>()
    const [query, time] = [theirs.query[row], theirs.time[row]]
    for (let at = lowerBound(query, time); at < order.length; at++) {
      if (ours.query[order[at]] !== query || ours.time[order[at]] !== time) break
      users.add(log.user[order[at]])
    }
    return users
  }

  return (name) => {
    const seen = new Set<string>()
    const sets: Set<number>[] = []
    for (let row = firstRow[name]; row < firstRow[name + 1]; row++) {
      const key = `${theirs.query[row]} ${theirs.time[row]}`
      if (!seen.has(key)) sets.push(usersOf(row))
      seen.add(key)
    }
    const [rarest = new Set<number>(), ...others] = sets.sort((a, b) => a.size - b.size)
    const owners = [...rarest].filter((user) => user >= 0 && others.every((set) => set.has(user)))
    return owners.length === 0 ? -1 : owners[random.below(owners.length)]
  }
}
