import { describe, expect, test } from "vitest"
import {
  amountOf,
  asAmount,
  asChance,
  budgetProblem,
  costOf,
  sayAccount,
  shortfall,
} from "../../web/studio/release/ledger-words.ts"

const account = { log: "a", budget: "4", spent: "2", deltaBudget: "1/1000", deltaSpent: "1/500000", releases: 2 }

describe("the ledger on the page", () => {
  test("says what was spent in words", () => {
    expect(sayAccount(account)).toEqual({
      loss: "2 of 4 spent",
      lossShare: 0.5,
      chance: "0.000002 of 0.001 spent",
      chanceShare: 0.002,
    })
    expect(sayAccount({ ...account, spent: "5/2", deltaBudget: "0", deltaSpent: "0" })).toMatchObject({
      loss: "2.5 of 4 spent",
      chance: "no budget",
      chanceShare: 0,
    })
  })

  test("reads exact amounts and decimals, and nothing else", () => {
    expect(["3/4", "0.75", "1e-6", "1/3"].map(asAmount)).toEqual(["0.75", "0.75", "0.000001", "0.333333"])
    for (const text of ["", "-1", "1/0", "a", "1.", "Infinity", "0x1"]) expect(amountOf(text)).toBeNaN()
    expect(["1/1000", "1e-6", "0", "1", "0.75", "?"].map(asChance)).toEqual([
      "1 in 1,000",
      "1 in 1,000,000",
      "none",
      "certain",
      "75 %",
      "?",
    ])
  })

  test("says when the budget does not pay for another draw, to the last of it", () => {
    expect(shortfall(account, { epsilon: "2", delta: "1e-6" })).toBeUndefined()
    expect(shortfall(account, { epsilon: "2.1", delta: "1e-6" })).toMatch(/2 of 4 is spent/)
    expect(shortfall(account, { epsilon: "1", delta: "0.001" })).toMatch(/of the chance/)
    expect(shortfall({ ...account, budget: "3/10", spent: "1/5" }, { epsilon: "0.1", delta: "0" })).toBeUndefined()
  })
})

describe("the cost of a release", () => {
  test("is asked for only if the method spends a privacy budget", () => {
    expect(costOf(null)).toBeUndefined()
    expect(costOf({ parameters: { k: 10 } })).toBeUndefined()
    expect(costOf({ parameters: { epsilon: 8, mode: "paper" } })).toBeUndefined()
    expect(costOf({ parameters: { epsilon: "8", delta: 1e-6 } })).toEqual({ epsilon: "8", delta: "0.000001" })
  })

  test("must fit the budget that is typed", () => {
    const cost = { epsilon: "1", delta: "1e-6" }
    expect(budgetProblem({ epsilon: " 4 ", delta: "0.001" }, cost)).toBeUndefined()
    expect(budgetProblem({ epsilon: "1", delta: "1e-6" }, cost)).toBeUndefined()
    expect(budgetProblem({ epsilon: "0", delta: "0.001" }, cost)).toMatch(/above 0/)
    expect(budgetProblem({ epsilon: "much", delta: "0.001" }, cost)).toMatch(/above 0/)
    expect(budgetProblem({ epsilon: "0.5", delta: "0.001" }, cost)).toMatch(/alone costs 1/)
    expect(budgetProblem({ epsilon: "4", delta: "1" }, cost)).toMatch(/below 1/)
    expect(budgetProblem({ epsilon: "4", delta: "1e-7" }, cost)).toMatch(/1 in 1,000,000/)
  })
})
