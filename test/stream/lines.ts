import type { LineChoice } from "#dist/stream/inputs/line-format.js"

/** The input format is not given. */
export const anyFormat: LineChoice = {
  format: "auto",
  columns: undefined,
  jsonPath: undefined,
  unit: "user",
  encoding: undefined,
}

/** Rows as AOL writes them, numbered from `from`. */
export const aolRows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `u${from + i}\tquery ${from + i}\t2006-03-01 00:00:00\n`).join("")

export const recordsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `u${from + i} query ${from + i}`)

export const never: globalThis.AbortSignal = new AbortController().signal
