import { type RunContext, yieldAndReport } from "./context.ts"
import { streamParallel } from "./parallel.ts"
import type { SetUsersShard } from "./set-users.worker.ts"

/** Sets in one array: set s is members[offsets[s], offsets[s + 1]). Members are 0 … size - 1. */
export interface CsrSets {
  offsets: Uint32Array
  members: Int32Array
  size: number
}

const worker = new URL("./set-users.worker.js", import.meta.url)

/**
 * Distinct users of each member. A row with query q counts for every member of set q. Rows must be grouped by user. A
 * user of -1 counts as nobody. The result is exact: a member's count rises when its last user changes, and rows are
 * split between workers only where the user changes. All arrays must be in shared memory if there is more than one
 * worker.
 */
export async function countSetUsers(
  sets: CsrSets,
  options: { user: Int32Array; query: Int32Array; shardRows?: number },
  context: RunContext,
): Promise<Uint32Array> {
  const { user, query, shardRows = 1 << 22 } = options
  const users = new Uint32Array(sets.size)
  const cuts = cutAtUsers(user, shardRows)
  const shards = cuts.slice(1).map((to, i): SetUsersShard => ({ ...sets, user, query, from: cuts[i], to }))
  let done = 0
  for await (const part of streamParallel<SetUsersShard, Uint32Array>(worker, shards, context)) {
    for (let member = 0; member < users.length; member++) users[member] += part[member]
    await yieldAndReport(context, { stage: "counting users", done: cuts[++done], total: user.length })
  }
  return users
}

/** Row numbers 0 … rows, about `shardRows` apart, never within the rows of one user. */
function cutAtUsers(user: Int32Array, shardRows: number): number[] {
  const cuts = [0]
  for (let at = shardRows; at < user.length; at += shardRows) {
    while (at < user.length && user[at] === user[at - 1]) at++
    if (at < user.length) cuts.push(at)
  }
  return [...cuts, user.length]
}

/** `countSetUsers` for some rows. A member's last user (plus one) and its count are next to each other. */
export function countSetUsersOf({ offsets, members, size, user, query, from, to }: SetUsersShard): Uint32Array {
  const counts = new Int32Array(size * 2)
  const lastOfSet = new Int32Array(offsets.length - 1)
  for (let row = from; row < to; row++) {
    const set = query[row]
    const mark = user[row] + 1
    if (lastOfSet[set] === mark) continue
    lastOfSet[set] = mark
    for (let i = offsets[set], end = offsets[set + 1]; i < end; i++) {
      const at = members[i] * 2
      if (counts[at] !== mark) {
        counts[at] = mark
        counts[at + 1]++
      }
    }
  }
  const users = new Uint32Array(size)
  for (let member = 0; member < size; member++) users[member] = counts[member * 2 + 1]
  return users
}
