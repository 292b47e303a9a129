import { serveShards } from "../../kernels/parallel.ts"
import type { TextBlock } from "../../log/formats/parsed-block.ts"
import { openPreparer, type PreparedBlock, type Preparer, type PrepareSetup } from "./prepare-block.ts"

let prepare: Preparer | undefined

/** Takes the setup first, then blocks. */
export function handle(message: { setup: PrepareSetup } | { block: TextBlock }): PreparedBlock | undefined {
  if ("block" in message) return prepare?.(message.block)
  prepare = openPreparer(message.setup)
  return undefined
}

serveShards(handle)
