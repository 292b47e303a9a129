import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { OptionValues } from "#dist/release/anonymize.js"
import {
  type Choice,
  expectChanges,
  expectOutcome,
  explain,
  type IsShown,
  readRows,
  searches,
  textsOf,
} from "./explained.ts"

/** A method, options to try, and how its releases show a query. */
export type ExplainedMethod = [method: string, options: fc.Arbitrary<OptionValues>, isShown: IsShown]

/** The seed is fixed, so that the number of verdicts and changes met does not depend on chance. */
const seed = 1

/** The guarantees of explanations: they agree with releases, and their changes do what they say. */
export function describeAgreement(methods: ExplainedMethod[], { runs }: { runs: number }): void {
  describe.each(methods)("explain %s", (method, options, isShown) => {
    test("says released if and only if anonymize releases it, where chance does not decide", async () => {
      const verdicts = new Set<string>()
      await fc.assert(
        fc.asyncProperty(searches, options, async (rows, given) => {
          const choice: Choice = { method, ...given }
          const log = await readRows(rows)
          for (const query of textsOf(log)) {
            const found = await explain(log, choice, query)
            verdicts.add(found.verdict)
            await expectOutcome(log, choice, { found, outcome: found, isShown })
          }
        }),
        { numRuns: runs / 2, seed },
      )
      expect(verdicts.size).toBeGreaterThan(1)
    })

    test("names changes that do what it says, and of which less is not enough where it says so", async () => {
      let changes = 0
      await fc.assert(
        fc.asyncProperty(searches, options, fc.nat(), async (rows, given, place) => {
          const choice: Choice = { method, ...given }
          const all = textsOf(await readRows(rows))
          const found = await explain(await readRows(rows), choice, all[place % all.length] ?? "")
          changes += await expectChanges(rows, choice, { found, isShown })
        }),
        { numRuns: runs, seed },
      )
      expect(changes).toBeGreaterThan(runs / 4)
    })
  })
}
