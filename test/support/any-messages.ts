import type { LineChoice } from "#dist/stream/inputs/line-format.js"

/** Messages of any format, as a stream reads them without options. */
export const anyMessages: LineChoice = {
  format: "auto",
  columns: undefined,
  jsonPath: undefined,
  unit: "user",
  encoding: undefined,
}
