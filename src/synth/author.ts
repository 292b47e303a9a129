import type { SeededStream } from "../kernels/random.ts"

/** The author of a query: their random numbers, and the key that determines their own words. */
export interface Author {
  random: SeededStream
  key: number
}
