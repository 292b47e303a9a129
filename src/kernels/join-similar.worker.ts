import { type JoinShard, joinShard } from "./join-similar.ts"
import { serveShards } from "./parallel.ts"

export function handle(shard: JoinShard): { pairs: Int32Array } {
  return { pairs: joinShard(shard) }
}

serveShards(handle)
