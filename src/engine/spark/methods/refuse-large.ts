import { totalmem } from "node:os"
import { QueryveilError } from "../../../kernels/error.ts"

/** Refuses work of affinity on this machine that would need more than half of its memory. */
export function refuseLarge({ bytes, what }: { bytes: number; what: string }): void {
  if (bytes <= totalmem() / 2) return
  const inGigabytes = (size: number) => `${Math.ceil(size / 1e9)} GB`
  throw new QueryveilError(
    "remote-refused",
    `affinity: ${what} come to this machine, which would need ${inGigabytes(2 * bytes)} of memory ` +
      `and has ${inGigabytes(totalmem())}. Start it on a larger machine, or use equality.`,
  )
}
