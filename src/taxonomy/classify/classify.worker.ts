import { serveShards } from "../../kernels/parallel.ts"
import { classifyShard } from "./classify-shard.ts"

export const handle = classifyShard

serveShards(handle)
