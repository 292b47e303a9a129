import * as fc from "fast-check"
import type { ExplainedMethod } from "./agreement.ts"
import { byText } from "./explained.ts"

/** For each explanation the topics of all queries are found again, which makes a run slow. */
export const swapped: ExplainedMethod = [
  "swap",
  fc.record({
    k: fc.integer({ min: 2, max: 5 }),
    depth: fc.constantFrom("1", "3", "6", "auto"),
    users: fc.constantFrom("cell", "session"),
    cellTexts: fc.constantFrom("distinct", "any"),
    minQueryUsers: fc.integer({ min: 1, max: 3 }),
    backlog: fc.integer({ min: 1, max: 2 }),
    scrub: fc.constantFrom("none", "default", "all"),
  }),
  byText,
]
