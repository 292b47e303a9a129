import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { releaseFolder } from "#dist/app/project/releases.js"
import type { Project } from "#dist/project/open-project.js"
import { sayDisk } from "../../web/studio/register/disk-words.ts"
import { isAbout, readOverlap } from "../../web/studio/register/overlap-result.ts"
import type { RegisteredRelease } from "../../web/studio/release/release-types.ts"
import {
  concludeRegister,
  describeMethod,
  findEntry,
  isFromOtherChoice,
  nameProblem,
  suggestName,
  whyNotHandedOut,
  whyReason,
} from "../../web/studio/release/release-words.ts"

const release = (more: Partial<RegisteredRelease> = {}): RegisteredRelease => ({
  name: "spring",
  id: "1",
  method: "equality",
  parameters: { k: 10 },
  made: "2026-03-01T00:00:00.000Z",
  rows: 5,
  state: "open",
  accept: [],
  handedOut: [],
  fingerprints: {},
  ...more,
})

describe("the name of a release", () => {
  const isAccepted = (name: string) => {
    try {
      releaseFolder({ paths: { releases: "/project/releases" } } as Project, name)
      return true
    } catch {
      return false
    }
  }

  test("is accepted on the page exactly if the server accepts it", () => {
    const names = fc.oneof(fc.string(), fc.stringMatching(/^[\p{L}\p{N}._ /-]{0,12}(\.json|\.html)?$/u))
    fc.assert(fc.property(names, (name) => (nameProblem(name, []) === undefined) === isAccepted(name)))
    for (const name of ["..", "a..b", "a/b", ".a", "a.json", "", "é 1", "a".repeat(101)])
      expect(nameProblem(name, []) === undefined).toBe(isAccepted(name))
  })

  test("is suggested so that it is free", () => {
    expect(suggestName("swap", "2026-11-16", [])).toBe("swap-2026-11-16")
    expect(suggestName("swap", "2026-11-16", ["swap-2026-11-16", "swap-2026-11-16-2"])).toBe("swap-2026-11-16-3")
    expect(nameProblem("spring", ["spring"])).toMatch(/already/)
  })
})

describe("a further draw", () => {
  test("needs a reason after a release, and after a draw that was begun", () => {
    expect(whyReason(0, undefined)).toBeUndefined()
    expect(whyReason(0, { state: "cancelled" })).toBeUndefined()
    for (const state of ["done", "failed", "interrupted"] as const)
      expect(whyReason(0, { state })).toMatch(/begun before/)
    expect(whyReason(1, undefined)).toMatch(/has a release already/)
    expect(whyReason(2, undefined)).toMatch(/has 2 releases already/)
  })

  test("is proposed if the release has another method or other values than those chosen", () => {
    const choice = (method: string, parameters: Record<string, string | number>) => ({ method, parameters, name: "" })
    expect(isFromOtherChoice(release(), null)).toBe(false)
    expect(isFromOtherChoice(release(), choice("equality", { k: "10" }))).toBe(false)
    expect(isFromOtherChoice(release(), choice("equality", { unknown: 3 }))).toBe(false)
    expect(isFromOtherChoice(release(), choice("equality", { k: 11 }))).toBe(true)
    expect(isFromOtherChoice(release(), choice("swap", { k: 10 }))).toBe(true)
    expect(
      isFromOtherChoice(release({ parameters: { delta: "0.000001" } }), choice("equality", { delta: "1e-6" })),
    ).toBe(false)
  })
})

describe("the register", () => {
  test("hands out only what is signed and unchanged, and says why it does not", () => {
    expect(whyNotHandedOut({ state: "signed" })).toBeUndefined()
    for (const state of ["changed", "refused", "open"] as const) expect(whyNotHandedOut({ state })).toMatch(/signed/)
  })

  test("counts its releases by state, in words", () => {
    expect(concludeRegister({ releases: [] })).toBe("Nothing was released from this project yet.")
    expect(concludeRegister({ releases: [release()] })).toBe("One release: 1 not decided.")
    const three = [release({ state: "signed" }), release({ state: "refused" }), release({ state: "signed" })]
    expect(concludeRegister({ releases: three })).toBe("3 releases: 2 signed, 1 refused.")
    expect(describeMethod({ method: "counts", parameters: { epsilon: "1", delta: "1e-6", maxQueries: 2 } })).toBe(
      "counts, ε = 1, δ = 1e-6",
    )
  })

  test("finds the entry of a decision in the record", () => {
    const says = ["Ada refused spring: x", "Ada signed spring-2: x", "Ada signed spring: x", "Bo refused spring: y"]
    const record = says.map((says, i) => ({ number: i + 1, at: "", says })).reverse()
    const decided = (state: "signed" | "refused", name: string) =>
      release({ state, decision: { name, date: "2026-11-16", reason: "x" } })
    expect(findEntry(record, decided("signed", "Ada"))).toBe(3)
    expect(findEntry(record, decided("refused", "Bo"))).toBe(4)
    expect(findEntry(record, decided("signed", "Bo"))).toBeUndefined()
    expect(findEntry(record, release())).toBeUndefined()
  })

  test("says what takes room on the disk, the largest first", () => {
    const parts = {
      "project.json": 500,
      releases: 7000,
      cache: 90_000,
      "record.ndjson": 200,
      audits: 0,
      constructor: 1,
    }
    expect(sayDisk(parts)).toEqual([
      { says: "the log, as it was read", bytes: 90_000 },
      { says: "releases, with receipts, reports and signatures", bytes: 7000 },
      { says: "settings, jobs and records", bytes: 701 },
    ])
  })
})

describe("an attack on two releases together", () => {
  const verdict = { state: "above chance", sentence: "s", meanings: [], caveats: ["8 of 9 attacks were not run: a."] }
  const job = { kind: "overlap", state: "done", result: { releases: ["a", "b"], verdict, outcomes: [] } } as const

  test("is read from its job, without naming the attacks that are not about two releases", () => {
    const found = readOverlap(job)
    expect(found?.verdict).toEqual({ ...verdict, caveats: [] })
    expect(found !== undefined && isAbout(found, ["b", "a"])).toBe(true)
    expect(found !== undefined && isAbout(found, ["b", "c"])).toBe(false)
  })

  test("says why it could not run", () => {
    const result = { releases: ["a", "b"], outcomes: [{ probe: "intersection", skipped: "no names" }] }
    expect(readOverlap({ ...job, result })).toEqual({ releases: ["a", "b"], skipped: "no names" })
  })

  test("has no result before it is done, and none that cannot be read", () => {
    expect(readOverlap(undefined)).toBeUndefined()
    expect(readOverlap({ ...job, state: "running" })).toBeUndefined()
    expect(readOverlap({ ...job, result: undefined })).toBeUndefined()
    expect(readOverlap({ ...job, kind: "compare" })).toBeUndefined()
  })
})
