import { firstAtLeast } from "../../kernels/search-sorted.ts"
import { rejectReasons } from "../../log/formats/parsed-block.ts"
import type { PreparedBlock } from "./prepare-block.ts"
import type { BatchReceipt, RequestReceipt } from "./transport.ts"

/** The rejected lines of a block, in order. */
export function rejectsOf({ rejectLine, rejectReason }: PreparedBlock): BatchReceipt["rejected"] {
  return Array.from(rejectLine, (line, i) => ({ line, reason: rejectReasons[rejectReason[i]] }))
}

/** How many rejected lines an answer lists. */
const listed = 100

/**
 * Splits the rejected lines among the parts of a batch; `ends` is the last line of each part. Line numbers start at 1
 * in each part. Lists the first hundred, and their total.
 */
export function splitRejects(
  rejected: BatchReceipt["rejected"],
  ends: ArrayLike<number>,
): Pick<RequestReceipt, "rejected" | "rejectedTotal">[] {
  let at = 0
  let before = 0
  return Array.from(ends, (end) => {
    const from = at
    while (at < rejected.length && rejected[at].line <= end) at++
    const own = rejected.slice(from, Math.min(at, from + listed))
    const start = before
    before = end
    return {
      rejected: own.map(({ line, reason }) => ({ line: line - start, reason })),
      rejectedTotal: at - from,
    }
  })
}

/** The number of rows within the first `lines` lines (default: all). Rows are in the order of their lines. */
export function rowEnd({ line }: PreparedBlock, lines: number | undefined): number {
  return lines === undefined ? line.length : firstAtLeast(line, lines + 1)
}
