import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { aolText, smallTown, timeAfter } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const town = write(aolText(smallTown()))
/** Two people who have nothing in common, so no method may show anything. */
const strangers = write(
  aolText([
    { user: "ann", query: "xyzzyq", time: timeAfter(0) },
    { user: "bob", query: "plugh", time: timeAfter(60) },
  ]),
)
const methods: string[][] = [
  ["equality"],
  ["affinity"],
  ["wordnet"],
  ["swap"],
  ["groups"],
  ["profiles"],
  ["counts", "--epsilon", "1", "--delta", "1e-6"],
]

describe("an empty release", () => {
  test.each(methods)("of %s is written, says that it is empty, and ends with 4", async (method, ...flags) => {
    const out = fresh()
    const { code, stdout } = await runCli(["anonymize", method, strangers, "-o", out, ...flags])
    expect([code, existsSync(join(out, "release.json"))]).toEqual([4, true])
    expect(stdout).toContain("The release is empty")
  })

  test("has `empty` in JSON, and verifies", async () => {
    const out = fresh()
    const { code, stdout } = await runCli(["anonymize", "equality", strangers, "-o", out, "--json"])
    expect([code, JSON.parse(stdout).empty]).toEqual([4, true])
    expect((await runCli(["verify", out, "--against", strangers])).code).toBe(0)
  })

  test("is not reported if the release shows something", async () => {
    const { code, stdout } = await runCli(["anonymize", "equality", town, "-k", "2", "-o", fresh(), "--json"])
    expect([code, JSON.parse(stdout).empty]).toEqual([0, false])
  })

  test("is named among the exit codes of the help", async () => {
    expect((await runCli(["anonymize", "counts", "--help"])).stdout).toMatch(/Exit codes: .*4 the release is empty/s)
  })
})

test("anonymize says how much is left, and counts names the command that shows which options keep more", async () => {
  const rows = await runCli(["anonymize", "equality", town, "-k", "2", "-o", fresh()])
  expect(rows.stdout).toMatch(/^\d+ of \d+ \(\d+\.\d\d %\) rows are left\.$/m)
  const out = fresh()
  const counts = await runCli(["anonymize", "counts", town, "--epsilon", "1", "--delta", "1e-6", "-o", out])
  expect(counts.stdout).toMatch(/^0 of 12 \(0\.00 %\) distinct queries are left\.$/m)
  const [, plan = ""] = /^See which options keep more: (queryveil plan counts .*)$/m.exec(counts.stdout) ?? []
  expect(plan).toContain("--epsilon 1 --delta 1e-6")
  expect((await runCli([], { shell: plan.replace(/^queryveil/, '"$@"') })).code).toBe(0)
})
