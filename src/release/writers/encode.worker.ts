import { serveShards } from "../../kernels/parallel.ts"
import { encodeShard, type RowShard } from "./encode-rows.ts"

export function handle(shard: RowShard): Uint8Array {
  return encodeShard(shard)
}

serveShards(handle)
