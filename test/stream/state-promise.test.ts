import { describe, expect, test } from "vitest"
import { statePromise } from "#dist/stream/live/state-promise.js"
import type { RiskFigures } from "#dist/stream/live/stream-figures.js"
import { nameLifetimes } from "#dist/stream/live/user-names.js"

const strict = { k: 10, mode: "strict", time: "hour", users: "cell" } as const
const calm: RiskFigures = {
  at: 0,
  releases: 50_000,
  promise: 0.1,
  attacker: "shared-words",
  named: 4000,
  share: 0.1,
  lower: 0.09,
  alarm: false,
  alarmed: [],
}

describe("1/k is promised", () => {
  test("with whole cells and new names or none, while no attack refutes it", () => {
    for (const users of ["cell", "drop"] as const)
      for (const time of ["hour", "day", "exact", "drop"] as const)
        for (const risk of [undefined, calm]) {
          const { promised, reasons } = statePromise({ ...strict, users, time }, risk)
          expect([promised, reasons.length]).toEqual([true, 1])
          expect(reasons[0]).toMatch(/at most 1\/10\.$/)
        }
  })

  test("in no other case, and each reason is a sentence", () => {
    for (const users of nameLifetimes)
      for (const mode of ["strict", "paper"] as const)
        for (const time of ["hour", "own"] as const) {
          const { promised, reasons } = statePromise({ ...strict, users, mode, time }, undefined)
          expect(promised).toBe(mode === "strict" && time !== "own" && (users === "cell" || users === "drop"))
          for (const reason of reasons) expect(reason).toMatch(/^[A-Z-].*[a-z0-9]\.$/)
        }
  })
})

describe("nothing is promised, with the reason,", () => {
  const against = (changes: object, risk?: RiskFigures) => statePromise({ ...strict, ...changes }, risk).reasons

  test("if names last", () => {
    expect(against({ users: "day" })).toEqual([
      "Names that last a day can be linked by the words of the texts. A stream cannot test this before it releases.",
    ])
    for (const users of ["pseudonym", "keep"])
      expect(against({ users })).toEqual(["One name joins all searches of a person."])
  })

  test("if searches show their own times", () => {
    expect(against({ time: "own" })).toEqual([expect.stringMatching(/^--time own/)])
    expect(against({ mode: "paper", time: "own" })).toEqual([expect.stringMatching(/^--mode paper/)])
    expect(against({ mode: "paper", time: "own", users: "keep" })).toHaveLength(2)
  })

  test("if earlier releases of the store have names that last longer", () => {
    expect(against({ shorterSince: 1245 })).toEqual([expect.stringMatching(/^Releases before number 1245 /)])
  })

  test("while the running attack refutes it, overall or in topics", () => {
    expect(against({}, { ...calm, alarm: true })).toEqual([
      "The running attack shared-words names the right user more often than 1/10.",
    ])
    const alarmed = [{ path: "animal", named: 300, share: 0.4, lower: 0.3 }]
    expect(against({}, { ...calm, alarmed })).toEqual([
      "The running attack names the right user more often than 1/10 in one topic.",
    ])
    expect(against({}, { ...calm, alarmed: [...alarmed, ...alarmed] })[0]).toMatch(/in 2 topics\.$/)
    expect(against({ users: "day" }, { ...calm, alarm: true })).toHaveLength(2)
  })
})
