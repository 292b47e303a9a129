import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import type { CheckState } from "#dist/verify/verifier.js"
import { isOpen } from "../support/open-checks.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()
const folder = at("0.1")
cpSync(fileURLToPath(new URL("../fixtures/0.1", import.meta.url)), folder, { recursive: true })
const log = join(folder, "log.tsv.gz")

/** A release of version 0.1 with its log and its audit. */
const given = (release: string) => [
  join(folder, release),
  "--against",
  log,
  "--audit",
  join(folder, `${release}-audit`),
]

interface Check {
  name: string
  state: CheckState
  detail?: string
}

const verify = async (release: string) => {
  const { code, stdout } = await runCli(["verify", ...given(release), "--json"])
  const checks: Check[] = JSON.parse(stdout).checks
  return { code, open: checks.filter(isOpen) }
}

describe("a release of version 0.1", () => {
  test.each(["equality", "affinity", "wordnet"])("verifies as it did then: %s", async (release) => {
    expect(await verify(release)).toEqual({ code: 0, open: [] })
  })

  test("with groups fails, because its hours show when members clicked, and verify says what to do", async () => {
    const { code, open } = await verify("groups")
    expect(code).toBe(1)
    expect(open.map(({ name }) => name)).toEqual(["manifest", "identical", "hours"])
    expect(open[0]?.detail).toContain("release the log again")
  })

  test("is checked as far as then if it has too few counts to check the noise", async () => {
    const { code, open } = await verify("counts")
    expect([code, open.map(({ name, state }) => [name, state])]).toEqual([3, [["noise-original", "not checked"]]])
  })

  test("that promised 1/k for swapped users under lasting names fails, and verify says what to do", async () => {
    const { code, open } = await verify("swap")
    expect(code).toBe(1)
    expect(open).toEqual([
      expect.objectContaining({ name: "scrub", state: "failed" }), // the detectors know more names than those of 0.1
      expect.objectContaining({
        name: "manifest",
        state: "failed",
        detail: expect.stringContaining("release the log again with --users cell"),
      }),
      expect.objectContaining({ name: "dealing-key", state: "not checked", detail: "the audit has no key" }),
      expect.objectContaining({ name: "attackers", state: "failed" }),
    ])
    const alone = await runCli(["verify", join(folder, "swap")])
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining("--users") })
  })

  test("with the paper's swap fails as it did then, because it shows the log's own ids", async () => {
    const { code, open } = await verify("swap-paper")
    expect([code, open]).toEqual([
      1,
      [expect.objectContaining({ name: "names", detail: expect.stringContaining("--users keep") })],
    ])
  })

  test.each(["equality", "swap", "counts"])("is attacked and measured: %s", async (release) => {
    for (const command of ["attack", "measure"]) {
      const { code, stdout } = await runCli([command, ...given(release), "--json"])
      expect(code).toBe(0)
      const outcomes: { scores?: unknown[] }[] = JSON.parse(stdout).outcomes
      expect(outcomes.filter(({ scores = [] }) => scores.length > 0).length).toBeGreaterThan(0)
    }
  })

  test.each([
    ["equality", 0],
    ["affinity", 0],
    ["wordnet", 0],
    ["groups", 1],
    ["swap", 1],
    ["swap-paper", 1],
    ["counts", 3],
  ])("is reported on: %s, which ends with %i as verify does", async (release, code) => {
    const page = at(`${release}.html`)
    expect((await runCli(["report", ...given(release), "-o", page])).code).toBe(code)
    expect(readFileSync(page, "utf8")).toContain("</html>")
  })
})

describe("a study of version 0.1", () => {
  test("is continued or recomputed in its folder", async () => {
    const study = join(folder, "study")
    const pointsOf = (): unknown[] => {
      const { results } = JSON.parse(readFileSync(join(study, "study.json"), "utf8"))
      return results.map(({ point }: { point: unknown }) => point)
    }
    const before = pointsOf()
    expect((await runCli(["study", "equality", log, "-o", study])).code).toBe(0)
    expect(pointsOf()).toEqual(before)
    expect(readFileSync(join(study, "index.html"), "utf8")).toContain("</html>")
  })
})
