import type { LinePlan } from "#dist/log/formats/parsed-block.js"

/** How lines of AOL's format are read. */
export const aolPlan: LinePlan = {
  format: "aol",
  delimiter: 9,
  columns: { user: 0, query: 1, time: 2, rank: 3, url: 4 },
  minFields: 3,
  maxFields: 5,
  headerLines: 0,
}
