import * as fc from "fast-check"
import type { MethodOptions } from "#dist/release/method-options.js"
import { type Search, timeAfter } from "../support/aol-log.ts"

const queries = ["weather", "wether", "news", "maps", "map", "rare words", "ann@mail.example"]
const urls = ["http://weather", "http://news", "http://maps", "http://rare"]

/** A few people who click the same few pages, mostly under the same few queries. */
export const searches: fc.Arbitrary<Search[]> = fc
  .array(
    fc.record({
      user: fc.integer({ min: 1, max: 9 }).map((user) => `person-${user}`),
      query: fc.constantFrom(...queries, ...queries.slice(0, 4)),
      time: fc.nat({ max: 30 }).map((step) => timeAfter(step * 1700)),
      click: fc.option(fc.record({ rank: fc.integer({ min: 1, max: 3 }), url: fc.constantFrom(...urls) }), {
        freq: 6,
      }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((rows) => rows.map(({ click, ...row }): Search => ({ ...row, ...click })))

/** Options for `anonymize groups`. */
export const choices: fc.Arbitrary<MethodOptions["groups"] & { k: number }> = fc
  .record({
    k: fc.integer({ min: 1, max: 4 }),
    mode: fc.constantFrom("identical", "exact", "paper", "totals"),
    maxDistance: fc.constantFrom(1, 1, 0.9, 0.5, 0),
    delta: fc.constantFrom(0, 0.3, 0.5, 0.7, 1),
    minCluster: fc.constantFrom(1, 1, 1, 2),
    minQueryUsers: fc.constantFrom(undefined, 1, 2, 3),
    urls: fc.constantFrom("threshold", "keep"),
    time: fc.constantFrom("hour", "day", "drop"),
    scrub: fc.constantFrom("none", "default"),
  })
  .map(({ minQueryUsers, ...flags }) => ({ ...flags, ...(minQueryUsers === undefined ? {} : { minQueryUsers }) }))
