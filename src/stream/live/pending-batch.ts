import type { StreamChange } from "./live-stream.ts"
import type { PreparedBlock } from "./prepare-block.ts"
import type { BatchReceipt, InputBatch } from "./transport.ts"

/** What was offered but not yet taken. */
export type Pending = {
  resolve(receipt: BatchReceipt): void
  reject(error: unknown): void
} & (Offered | { change: StreamChange })

/** A batch that was offered. */
export interface Offered {
  prepared: Promise<PreparedBlock>
  bytes: number
  position: InputBatch["position"]
  parts: Uint32Array | undefined
  requests: InputBatch["requests"]
  arrived: number
}
