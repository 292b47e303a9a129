import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { anonymize, type OptionValues, type RowsDraft } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { type Choices, choices, parametersOf, searches } from "./random-logs.ts"

const { fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })

const read = async (rows: readonly Search[], unit: "user" | "session") =>
  (await readLog(write(aolText(rows), "log.tsv"), { unit }, context)).log

const textsOf = ({ rows }: RowsDraft, { queries }: SearchLog) =>
  new Set(Array.from(rows.order, (row) => queries.text(rows.log.query[row])))

const release = (log: SearchLog, { preset }: Choices, given: OptionValues & { method: "affinity" | "equality" }) =>
  anonymize(log, { ...given, ...(preset && { preset }) }, context)

describe("affinity releases whatever equality releases with the same k and the same scrubbing", () => {
  test.each([{}, { approximate: true, vmax: 2 }])("for every log, θ and option: %o", async (mode) => {
    await fc.assert(
      fc.asyncProperty(searches, choices, fc.integer({ min: 1, max: 9 }), async (rows, flags, minTermUsers) => {
        const log = await read(rows, flags.unit)
        const given = parametersOf(flags)
        const affinity = await release(log, flags, { minTermUsers, ...given, ...mode, method: "affinity" })
        const scrub = String(affinity.manifest.parameters.scrub)
        const equality = await release(log, flags, { k: flags.k, scrub, method: "equality" })
        expect([...textsOf(equality, log)].filter((text) => !textsOf(affinity, log).has(text))).toEqual([])
        const checks = await verify({ release: openDraft(affinity), log }, context)
        expect(checks.filter((one) => one.name !== "files" && isOpen(one))).toEqual([])
        expect(affinity.measured?.texts).toBe(textsOf(affinity, log).size)
        // The same for every other k: a degree is never below a query's own number of users.
        const { rows: count, cell } = affinity.audit.degrees
        for (let row = 0; row < count; row++) expect(cell(row, 2)).toBeGreaterThanOrEqual(Number(cell(row, 1)))
      }),
      { numRuns: 250 },
    )
  })

  test("where words need more users than k, and the receipt counts what is left out", async () => {
    // 'visa oldtown' has four users of its own, 'visa newtown' two. Both towns have too few users for similar queries
    // to help.
    const people: Record<string, number> = { visa: 8, "visa oldtown": 4, "visa newtown": 2, rare: 1 }
    const rows = Object.entries(people).flatMap(([query, users], i) =>
      Array.from({ length: users }, (_, user): Search => ({ user: `u${user}`, query, time: timeAfter(i * 60 + user) })),
    )
    const log = await read(rows, "user")
    const given = { k: 3, theta: 0.3, minConceptUsers: 6, minTermUsers: 6, scrub: "none", method: "affinity" as const }
    const draft = await anonymize(log, given, context)
    expect([...textsOf(draft, log)].sort()).toEqual(["visa", "visa oldtown"])
    expect(draft.withheld).toMatchObject({
      "queries of fewer than k users with a word of too few users": 1,
      "queries of a degree under k": 1,
    })
    expect(draft.measured).toMatchObject({
      "plain queries": 1,
      "expanded queries": 1,
      "searches with an expanded query": 8,
      "excluded queries": 2,
    })
  })
})

test("one user in ten thousand is rounded down, and verify counts the same concepts", async () => {
  // With 29,999 users, a concept needs two users, not three. Then only 'a b' and 'b a', of two users, share concepts.
  const crowd = Array.from({ length: 29_997 }, (_, i) => [`c${i}`, `q${i}`])
  const pair = [
    ["x", "a b"],
    ["y", "b a"],
  ]
  const rows = [...crowd, ...pair].map(([user = "", query = ""]): Search => ({ user, query, time: timeAfter(0) }))
  const log = await read(rows, "user")
  const draft = await anonymize(log, { k: 2, theta: 0.9, scrub: "none", preset: "paper", method: "affinity" }, context)
  expect([...textsOf(draft, log)].sort()).toEqual(["a b", "b a"])
  const checks = await verify({ release: openDraft(draft), log }, context)
  expect(checks.filter((one) => one.name !== "files" && isOpen(one))).toEqual([])
})

test("the paper's rules on a small log say that every phrase is a concept", async () => {
  const log = write(aolText([{ user: "1", query: "a b", time: timeAfter(0) }]), "small.tsv")
  const paper = await runCli(["anonymize", "affinity", log, "-k", "2", "--preset", "paper", "-o", fresh()])
  expect(paper).toMatchObject({ code: 4, stderr: expect.stringContaining("Every word and phrase of this log") })
  const safe = await runCli(["anonymize", "affinity", log, "-k", "2", "-o", fresh()])
  expect(safe.stderr).not.toContain("Every word and phrase")
})
