import { serveShards } from "../../kernels/parallel.ts"
import { readBlock } from "./read-block.ts"

export const handle = readBlock

serveShards(handle)
