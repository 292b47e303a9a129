import { serveShards } from "../../kernels/parallel.ts"
import { readShard } from "./word-readings.ts"

export const handle = readShard

serveShards(handle)
