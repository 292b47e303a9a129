import { checkBudget } from "#dist/release/budget-ledger.js"
import { readLedger } from "#dist/release/ledger-file.js"
import { writeScratch } from "../support/scratch-file.ts"
import { ensure, type FuzzTarget } from "../target.ts"

/** The ledger of privacy budgets: anything that is not a ledger is refused, and the costs in a ledger are added up. */
export const target: FuzzTarget = {
  covers: ["release/ledger-file", "release/budget-ledger", "methods/counts/fractions"],
  words: [
    '"logs":{',
    '"spent":[',
    '"epsilon":"1/2"',
    '"delta":"0"',
    '"unit":"session"',
    "1/3",
    "999999999999",
    "null",
    '"__proto__":',
  ],
  seeds: () => [
    JSON.stringify({
      queryveil: 2,
      logs: {
        shop: {
          budget: "10",
          deltaBudget: "1/1000",
          spent: [{ release: "a", epsilon: "1/2", delta: "1/100000", created: "2024", unit: "user" }],
        },
      },
    }),
    JSON.stringify({
      queryveil: 1,
      logs: {
        shop: { budget: "5", spent: [{ release: "a", epsilon: "2", delta: "0", created: "x" }] },
        old: { budget: "4", spent: [] },
      },
    }),
  ],
  check: async (input) => {
    const file = writeScratch("ledger.json", input)
    const ledger = await readLedger(file)
    ensure(typeof ledger.logs === "object", "a ledger has logs")
    const earlier = [{ log: "old", unit: "user" as const }]
    await checkBudget({ file, log: "shop", budget: "10", earlier }, { epsilon: "1", delta: "1e-6", unit: "user" })
  },
}
