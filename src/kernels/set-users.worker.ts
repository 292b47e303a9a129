import { serveShards } from "./parallel.ts"
import { type CsrSets, countSetUsersOf } from "./set-users.ts"

/** The rows [from, to) of a log, and the set of each query. */
export interface SetUsersShard extends CsrSets {
  user: Int32Array
  query: Int32Array
  from: number
  to: number
}

export function handle(shard: SetUsersShard): Uint32Array {
  return countSetUsersOf(shard)
}

serveShards(handle)
