import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { openDraft, readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"
import { aolText, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const town = write(aolText(smallTown()))
const context = createContext({ workers: 1 })

const policies = (["session", "pseudonym", "drop"] as const).flatMap((users) =>
  (["threshold", "keep", "drop"] as const).flatMap((urls) =>
    (["hour", "day", "exact", "drop"] as const).map((time) => ({ users, urls, time })),
  ),
)

describe("an untouched release", () => {
  test.each(policies)("verifies with --users $users --urls $urls --time $time", async (policy) => {
    const folder = fresh()
    const { input } = await publish(town, folder, policy)
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(checks.filter(isOpen)).toEqual([])
  })

  test("verifies for every log", async () => {
    const search = fc.record({
      user: fc.constantFrom("1", "2", "3", "4"),
      query: fc.constantFrom("a", "A ", "b", "c", "d"),
      time: fc.nat({ max: 9000 }).map(timeAfter),
      click: fc.option(fc.record({ rank: fc.nat({ max: 3 }), url: fc.constantFrom("http://x", "http://y", "z") })),
    })
    const rows = fc.array(search, { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 4 }), fc.constantFrom(...policies), async (list, k, policy) => {
        const searches = list.map(({ click, ...row }): Search => ({ ...row, ...click }))
        const folder = fresh()
        const { input } = await publish(write(aolText(searches)), folder, { ...policy, k })
        const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
        expect(checks.filter(isOpen)).toEqual([])
      }),
      { numRuns: 80 },
    )
  })

  test("that shows the log's own user ids never verifies", async () => {
    const folder = fresh()
    const { input } = await publish(town, folder, { users: "keep" })
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(checks.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(["names"])
  })

  test("that is empty verifies", async () => {
    const folder = fresh()
    const { input, manifest } = await publish(town, folder, { k: 9 })
    expect(manifest.files[0]?.rows).toBe(0)
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(checks.filter(isOpen)).toEqual([])
  })

  test("fails against another log", async () => {
    const folder = fresh()
    await publish(town, folder)
    const other = smallTown().filter(({ user }) => !user.endsWith("0"))
    const { log } = await readLog(write(aolText(other)), {}, context)
    const checks = await verify({ release: await readRelease(folder), log }, context)
    expect(checks.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["users-original", "rows", "groups"]),
    )
  })
})

describe("without the original", () => {
  test("checks that need it are not made, and say what they need", async () => {
    const folder = fresh()
    await publish(town, folder)
    const checks = await verify({ release: await readRelease(folder) }, context)
    expect(overall(checks)).toBe("not checked")
    const open = checks.filter(({ state }) => state === "not checked")
    expect(open.map(({ name }) => name)).toEqual(["users-original", "rows", "clicks", "urls", "groups"])
    for (const { needs } of open) expect(needs).toBe("against")
  })
})

describe("a release drawn from a seed", () => {
  test("never verifies, written or as a draft", async () => {
    const folder = fresh()
    const { input } = await publish(town, folder, {}, { context: { seed: 1 } })
    const draft = await anonymize(input.log, { method: "equality", k: 3 }, createContext({ seed: 1, workers: 1 }))
    for (const release of [await readRelease(folder), openDraft(draft)]) {
      const checks = await verify({ release, log: input.log }, context)
      expect(overall(checks)).toBe("failed")
      expect(checks.find(({ name }) => name === "randomness")?.state).toBe("failed")
    }
  })

  test("fails for its seed alone", async () => {
    const folder = fresh()
    const { input } = await publish(town, folder, {}, { context: { seed: 1 } })
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(checks.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(["randomness"])
  })
})
