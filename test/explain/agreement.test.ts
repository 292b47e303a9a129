import * as fc from "fast-check"
import { describeAgreement, type ExplainedMethod } from "./agreement.ts"
import { byText, type IsShown } from "./explained.ts"
import { swapped } from "./swapped.ts"

const scrub = fc.constantFrom("none", "default", "all")

/** A profile shows the topic of the query, or a topic above it. */
const byTopic: IsShown = (shown, { facts }) => [...shown].some((topic) => `${facts.topic}/`.startsWith(`${topic}/`))

const methods: ExplainedMethod[] = [
  ["equality", fc.record({ k: fc.integer({ min: 1, max: 5 }), scrub }), byText],
  [
    "affinity",
    fc.record({
      k: fc.integer({ min: 1, max: 5 }),
      theta: fc.constantFrom(0.3, 0.6, 0.9),
      conceptRule: fc.constantFrom("safe", "paper"),
      approximate: fc.boolean(),
      scrub,
    }),
    byText,
  ],
  [
    "groups",
    fc.record({
      k: fc.integer({ min: 1, max: 4 }),
      mode: fc.constantFrom("identical", "exact", "paper", "totals"),
      urls: fc.constantFrom("threshold", "keep"),
      maxDistance: fc.constantFrom(1, 0.5),
      minCluster: fc.integer({ min: 1, max: 2 }),
      scrub,
    }),
    byText,
  ],
  [
    "profiles",
    fc.record({
      k: fc.integer({ min: 2, max: 4 }),
      groupSize: fc.integer({ min: 4, max: 6 }),
      depth: fc.integer({ min: 1, max: 3 }),
      step: fc.constantFrom(1, 5, 30),
      scrub,
    }),
    byTopic,
  ],
]

describeAgreement(methods, { runs: 40 })
describeAgreement([swapped], { runs: 16 })
