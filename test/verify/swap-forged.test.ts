import { beforeAll, describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import type { NameLifetime } from "#dist/methods/name-lifetime.js"
import { guaranteeSwap } from "#dist/methods/swap-guarantee.js"
import type { OptionValues } from "#dist/release/anonymize.js"
import type { Manifest } from "#dist/release/manifest.js"
import { readRelease } from "#dist/release/read-release.js"
import { marker, type Search, timeAfter } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { failed, swappedReleases } from "./swapped-release.ts"

const random = seededRandom(11)
/** Forty people, each with a word of their own in all their searches. */
const habits = Array.from({ length: 1200 }, (_, i): Search => {
  const person = random.below(40)
  return {
    user: `${marker}-user-${person}`,
    query: `poodle ${marker}own${person} ${marker}${i}`,
    time: timeAfter(i * 60),
  }
})

const { at, original, auditOf, make, check, change } = swappedReleases(habits)
const lifetimes = ["session", "day", "pseudonym"] as const

beforeAll(async () => {
  for (const users of lifetimes) await make(at(users), { users })
  await make(at("cell"))
})

/** The guarantee that would be stated for these parameters if no attacker had been right more often than 1/k. */
function promiseOf(users: NameLifetime) {
  const known = users === "cell" ? {} : { knownSearches: 0.5 }
  const measured = { attacker: "none", share: 0, named: 0, tried: 11, over: false, ...known }
  return guaranteeSwap({
    k: 3,
    counted: "user",
    repeats: "never",
    mode: "strict",
    ownTimes: false,
    distinctTexts: true,
    users,
    measured,
  })
}

/** A copy of a release that states a refuted guarantee and is sound otherwise. */
const forge = (release: string, how: (manifest: Manifest) => void) =>
  change(at(release), ({ manifest }) => how(manifest))

const forgePromise = (users: (typeof lifetimes)[number]) =>
  forge(users, (manifest) => {
    manifest.guarantee = promiseOf(users)
  })

const verifyAlone = async (folder: string, ...flags: string[]) => {
  const { code, stdout } = await runCli(["verify", folder, "--json", ...flags])
  const checks: { name: string; state: string }[] = JSON.parse(stdout).checks
  return { code, stateOf: (name: string) => checks.find((one) => one.name === name)?.state }
}

describe("a release of people with words of their own", () => {
  test.each(lifetimes)("promises nothing with --users %s", async (users) => {
    expect((await readRelease(at(users))).manifest.guarantee).toMatchObject({
      promised: false,
      measured: { over: true },
    })
    expect(failed(await check(at(users)))).toEqual([])
  })

  test("promises 1/k with a name per cell, and verifies", async () => {
    expect((await readRelease(at("cell"))).manifest.guarantee).toMatchObject({ promised: true })
    expect(failed(await check(at("cell")))).toEqual([])
  })
})

describe("a promise that was forged", () => {
  test.each(["session", "day"] as const)("fails with --users %s, because verify attacks the release", async (users) => {
    const forged = forgePromise(users)
    const checks = await check(forged)
    expect(failed(checks)).toEqual(["attackers"])
    expect(checks.find(({ name }) => name === "attackers")?.value).toBeGreaterThan(1 / 3)
    expect((await verifyAlone(forged, "--against", original, "--audit", auditOf(forged))).code).toBe(1)
  })

  test.each(["session", "day"] as const)(
    "is not checked with --users %s if verify has no log or no audit, and verify ends with 3",
    async (users) => {
      const forged = forgePromise(users)
      for (const flags of [[], ["--against", original]]) {
        const { code, stateOf } = await verifyAlone(forged, ...flags)
        expect([code, stateOf("manifest"), stateOf("attackers")]).toEqual([3, "passed", "not checked"])
      }
    },
  )

  test("fails for lasting names by the manifest alone", async () => {
    const forged = forge("pseudonym", (manifest) => {
      manifest.guarantee = { ...promiseOf("day"), names: "pseudonym" }
    })
    const { code, stateOf } = await verifyAlone(forged)
    expect([code, stateOf("manifest")]).toEqual([1, "failed"])
  })

  test.each(["cell", "session", "day"] as const)(
    "fails for lasting names that are called names of a %s",
    async (users) => {
      const forged = forge("pseudonym", (manifest) => {
        Object.assign(manifest.parameters, { users } satisfies OptionValues)
        manifest.guarantee = promiseOf(users)
      })
      expect(failed(await check(forged))).toContain("users-shown")
      expect((await verifyAlone(forged)).code).toBe(3)
    },
  )

  test.each<[string, OptionValues]>([
    ["a chance", { posterior: 1 / 3 }],
    ["something else", { statement: "Users cannot be found." }],
    ["another k", { k: 100 }],
  ])("fails where the manifest is of version 0.1 and promises nothing but states %s", async (_what, more) => {
    const old = (others: OptionValues) =>
      forge("pseudonym", ({ guarantee }) => {
        Object.assign(guarantee, others)
        if (guarantee.model === "swap") delete guarantee.names
      })
    expect(failed(await check(old({})))).toEqual([])
    expect(failed(await check(old(more)))).toContain("manifest")
  })
})
