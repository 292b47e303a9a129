import type { SeededStream } from "../kernels/random.ts"

/** Who writes a query: the numbers they draw, and the key from which their own words follow. */
export interface Author {
  random: SeededStream
  key: number
}
