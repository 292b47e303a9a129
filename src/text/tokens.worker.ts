import { serveShards } from "../kernels/parallel.ts"
import { cutShard } from "./cut-words.ts"

export const handle = cutShard

serveShards(handle)
