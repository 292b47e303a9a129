import { describe, expect, test } from "vitest"
import { type AttackName, type AttackOptions, attack } from "#dist/attacks/registry.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { draftOf, reasonsOf, valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

/**
 * Twelve people search for hotels, eight for the weather, six for a visa. Two refine the visa search, and one reverses
 * the words of the hotel search. One searches for something that nobody else does.
 */
function travellers(): Search[] {
  const queries = (person: number) => [
    "cheap hotel room",
    ...(person < 6 ? ["passport visa office"] : []),
    ...(person < 2 ? ["passport visa office weather"] : []),
    ...(person === 5 ? ["lighthouse keeper"] : []),
    ...(person === 9 ? ["hotel room cheap"] : []),
    ...(person > 3 ? ["weather"] : []),
  ]
  return Array.from({ length: 12 }, (_, person) =>
    queries(person).map((query, i) => ({ user: `${100 + person}`, query, time: timeAfter(person * 60 + i) })),
  ).flat()
}
const log = write(aolText(travellers()))

const run = async (
  options: MethodChoice,
  { only, values = {}, isAudited = true }: { only: AttackName; values?: AttackOptions["values"]; isAudited?: boolean },
) => {
  const { subject, context, audit } = await draftOf(log, options)
  const audited = options.method === "wordnet" && isAudited ? { audit } : {}
  return attack({ ...subject, ...audited }, { only: [only], values }, context)
}

const affinity = { method: "affinity", k: 5, theta: 0.9, scrub: "none" } as const
const equality = { method: "equality", k: 5, scrub: "none" } as const

describe("injection", () => {
  const inject = (options: MethodChoice, accounts: number) =>
    run(options, { only: "injection", values: { accounts, injected: 30 } })

  test("from two accounts gets private words published if every word needs two users, as in the paper", async () => {
    const values = valuesOf(await inject({ ...affinity, minTermUsers: 2 }, 2))
    expect(values).toEqual({ "injection@2": 1, "injection@2/equality": 0 })
  })

  test("from fewer than k accounts gets nothing published by default, from k accounts everything", async () => {
    expect(valuesOf(await inject(affinity, 4))).toEqual({ "injection@4": 0, "injection@4/equality": 0 })
    expect(valuesOf(await inject(affinity, 5))).toEqual({ "injection@5": 1, "injection@5/equality": 1 })
  })

  test("needs k accounts under plain k-anonymity", async () => {
    expect(valuesOf(await inject(equality, 4))).toEqual({ "injection@4": 0 })
    expect(valuesOf(await inject(equality, 5))).toEqual({ "injection@5": 1 })
  })

  test("is not tried on concepts, which show no text", async () => {
    expect(reasonsOf(await inject({ method: "wordnet", k: 2, scrub: "none" }, 2))).toEqual([
      expect.stringContaining("concepts"),
    ])
  })

  test("leaves the log as it was, and draws its words from the context", async () => {
    const { subject, context } = await draftOf(log, equality)
    const before = [subject.log.rows, subject.log.queries.size, subject.log.users.size]
    await attack(subject, { only: ["injection"] }, context)
    expect([subject.log.rows, subject.log.queries.size, subject.log.users.size]).toEqual(before)
  })
})

describe("a known query", () => {
  test("leaves at least k users under plain k-anonymity", async () => {
    const values = valuesOf(await run(equality, { only: "known-query" }))
    // cheap hotel room: 12 victims of 12 candidates, weather: 8 of 8, passport visa office: 6 of 6
    expect(values).toEqual({
      "known-query/one": 0,
      "known-query/under-k": 0,
      "known-query@5": 6,
      "known-query@25": 8,
      "known-query@50": 8,
    })
  })

  test("may leave fewer under affinity, where a rare refinement is released", async () => {
    const values = valuesOf(await run({ ...affinity, theta: 0.5 }, { only: "known-query" }))
    // Besides the 26 pairs above: two of a text with two users, one of a text with one.
    expect(values["known-query/under-k"]).toBeCloseTo(3 / 29, 12)
    expect(values["known-query/one"]).toBeCloseTo(1 / 29, 12)
    expect(values["known-query@5"]).toBe(2)
  })

  test("leaves the users whom a concept stands for, if the audit says which", async () => {
    const generalise = { method: "wordnet", k: 3, scrub: "none" } as const
    const values = valuesOf(await run(generalise, { only: "known-query" }))
    expect(values["known-query/under-k"]).toBe(0)
    expect(values["known-query@5"]).toBeGreaterThanOrEqual(3)
    const outcomes = await run(generalise, { only: "known-query", isAudited: false })
    expect(reasonsOf(outcomes)).toEqual([expect.stringContaining("--audit")])
  })
})
