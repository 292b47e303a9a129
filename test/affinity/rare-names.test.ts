import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })

// 'red boat' reaches three users only with the user of 'red boat mary smith'. 'mary smith' has three of its own.
const searches = [
  ["1", "red boat"],
  ["2", "red boat"],
  ["3", "red boat mary smith"],
  ["4", "mary smith"],
  ["5", "mary smith"],
  ["6", "mary smith"],
].map(([user = "", query = ""], i): Search => ({ user, query, time: timeAfter(i * 60) }))
const path = write(aolText(searches), "names.tsv")
const everyWord = { k: 3, theta: 0.5, minConceptUsers: 1, minTermUsers: 1 }

async function release(options: Record<string, string | number>, preset?: "paper") {
  const { log } = await readLog(path, {}, context)
  const given = { ...everyWord, ...options, ...(preset && { preset }), method: "affinity" as const }
  const draft = await anonymize(log, given, context)
  const { rows, cell } = draft.audit.degrees
  const checks = await verify({ release: openDraft(draft), log }, context)
  return {
    texts: [...new Set(Array.from(draft.rows.order, (row) => log.queries.text(draft.rows.log.query[row])))].sort(),
    degrees: Object.fromEntries(Array.from({ length: rows }, (_, row) => [cell(row, 0), cell(row, 2)])),
    withheld: draft.withheld,
    // A draft has no files yet.
    failed: checks.filter((one) => one.name !== "files" && isOpen(one)),
  }
}

describe("a query of fewer than k users with a likely person name", () => {
  test("is released like any other where names are not scrubbed", async () => {
    const { texts, failed } = await release({ scrub: "default" })
    expect(texts).toEqual(["mary smith", "red boat", "red boat mary smith"])
    expect(failed).toEqual([])
  })

  test("is withheld by default, and its users protect nobody", async () => {
    const { texts, withheld, failed } = await release({})
    expect(texts).toEqual(["mary smith"])
    expect(withheld["queries of fewer than k users with a likely person name"]).toBe(1)
    expect(withheld["queries that reach k only with queries that are not released"]).toBe(1)
    expect(withheld["queries of a degree under k"]).toBe(0)
    expect(failed).toEqual([])
  })

  test("is withheld with --scrub person alone", async () => {
    expect((await release({ scrub: "person" })).texts).toEqual(["mary smith"])
  })

  test("counts in degrees.tsv, which is about the log before names are left out", async () => {
    const { degrees } = await release({})
    expect(degrees).toEqual((await release({ scrub: "none" })).degrees)
    expect(degrees["red boat"]).toBeGreaterThanOrEqual(3)
  })

  test("is released under the paper's preset", async () => {
    const { texts, failed } = await release({}, "paper")
    expect(texts).toEqual(["mary smith", "red boat", "red boat mary smith"])
    expect(failed).toEqual([])
  })
})

test("a name that k users searched for is released", async () => {
  expect((await release({ k: 2 })).texts).toContain("mary smith")
})
