import { serveShards } from "../../kernels/parallel.ts"
import { BlockParser } from "./parse-block.ts"
import type { ParsedBlock, TextBlock } from "./parsed-block.ts"

let parser: BlockParser | undefined

export function handle(block: TextBlock): ParsedBlock {
  if (parser?.seed !== block.seed) parser = new BlockParser({ seed: block.seed })
  return parser.parse(block)
}

serveShards(handle)
