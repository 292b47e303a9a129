import * as fc from "fast-check"
import { describeAgreement } from "./agreement.ts"
import type { IsShown } from "./explained.ts"
import { swapped } from "./swapped.ts"

const byConcept: IsShown = (shown, { facts }) => shown.has(String(facts["released concept"]))

const options = fc.record({
  k: fc.integer({ min: 1, max: 6 }),
  split: fc.constantFrom("finest", "greedy"),
  match: fc.constantFrom("content", "all"),
  counts: fc.constantFrom("users", "queries"),
  scrub: fc.constantFrom("none", "default", "all"),
})

describeAgreement([["wordnet", options, byConcept], swapped], { runs: 24 })
