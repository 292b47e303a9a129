import * as fc from "fast-check"
import type { Departure } from "./swapped-streams.ts"

/** Any released stream of few users, texts and categories, including streams that no swapper could have made. */
export const anyRows = fc.array(
  fc.record<Departure>({
    user: fc.nat({ max: 6 }),
    text: fc.nat({ max: 5 }),
    category: fc.nat({ max: 2 }),
    time: fc.nat({ max: 12 }),
    truth: fc.integer({ min: -1, max: 6 }),
  }),
  { maxLength: 60 },
)

/** The rows of each category in their order, categories ascending. Each row has its position in the stream. */
export function byCategory<Row extends { category: number }>(rows: readonly Row[]): (Row & { at: number })[][] {
  const categories = [...new Set(rows.map(({ category }) => category))].sort((a, b) => a - b)
  return categories.map((own) => rows.flatMap((row, at) => (row.category === own ? [{ ...row, at }] : [])))
}
