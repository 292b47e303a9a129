import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { aolText, smallTown } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { tamper } from "../support/tamper.ts"

const { at, write } = scratchFolder()
const text = aolText(smallTown())
const log = write(text, "log.tsv")
beforeAll(() => publish(log, at("release"), {}, { audit: at("audit") }))

const commands = [
  ["verify", at("release")],
  ["attack", at("release"), "--only", "secrets"],
  ["measure", at("release"), "--only", "events-kept"],
  ["report", at("release"), "--force"],
]

describe("the answer of a command", () => {
  test.each(commands)("never overwrites the log: %s", async (...command) => {
    symlinkSync(log, at(`${command[0]}.link`))
    for (const output of [log, at(`${command[0]}.link`)]) {
      const { code, stderr } = await runCli([...command, "--against", log, "-o", output])
      expect([code, stderr]).toEqual([1, expect.stringContaining("is a file of the log")])
    }
    expect(readFileSync(log, "utf8")).toBe(text)
  })

  test.each(commands)("never overwrites the receipt or the audit: %s", async (...command) => {
    for (const output of [at("release.receipt.json"), at("audit/audit.json"), at("audit/trail.tsv")]) {
      const before = readFileSync(output, "utf8")
      const { code, stderr } = await runCli([...command, "--against", log, "-o", output])
      expect([code, stderr]).toEqual([1, expect.stringContaining("the receipt or the audit of a release")])
      expect(readFileSync(output, "utf8")).toBe(before)
    }
  })

  test("never overwrites the log as the list of rejected lines", async () => {
    const { code } = await runCli(["verify", at("release"), "--against", log, "--rejects", log])
    expect(code).toBe(1)
    expect(readFileSync(log, "utf8")).toBe(text)
  })

  test.each(commands)("is refused before the log is read if it cannot be written: %s", async (...command) => {
    const before = readdirSync(at("")).sort()
    for (const output of [at("nowhere/answer"), at("")]) {
      const { code, stderr } = await runCli([...command, "--against", at("no-log.tsv"), "-o", output])
      expect([code, stderr]).toEqual([1, expect.stringContaining(output)])
    }
    expect(readdirSync(at("")).sort()).toEqual(before)
  })
})

describe("a log that the release was not made from", () => {
  test("is recognised by the receipt, whatever the name of the file", async () => {
    const other = write(text.replace(/\n[^\n]+\n$/, "\n"), "other.tsv")
    writeFileSync(at("copy.tsv"), text)
    const warnings = []
    for (const file of [other, at("copy.tsv")]) {
      const measured = ["measure", at("release"), "--only", "events-kept", "--against", file]
      warnings.push((await runCli(measured)).stderr.includes("receipt of the release is about another log"))
    }
    expect(warnings).toEqual([true, false])
  })

  test("never verifies a release, not even an empty one, which any log matches", async () => {
    const made = await runCli(["anonymize", "equality", log, "-k", "1000", "-o", at("empty")])
    expect(made.code).toBe(4)
    const other = write(text.replace(/\n[^\n]+\n$/, "\n"), "shorter.tsv")
    const { code, stdout } = await runCli(["verify", at("empty"), "--against", other])
    expect([code, stdout]).toEqual([3, expect.stringContaining("was made from another log")])
    expect((await runCli(["verify", at("empty"), "--against", log])).code).toBe(0)
  })
})

describe("what is private is never written into a release", () => {
  const reading = ["verify", at("release"), "--against", log, "--cache"]
  const making = ["anonymize", "equality", log, "-k", "3", "-o"]
  test.each([
    ["the parsed log", [...reading, at("release/cache")]],
    ["the parsed log, as the folder itself", [...reading, at("release")]],
    ["the parsed log of a release that is being made", [...making, at("new"), "--cache", at("new/cache")]],
    ["the receipt of a release within", [...making, at("release/inner")]],
  ])("%s", async (_what, command) => {
    const { code, stderr } = await runCli(command)
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/inside a release|must not be in the release/)])
    expect(readdirSync(at("release")).sort()).toEqual(["log.tsv", "release.json"])
    expect(existsSync(at("new"))).toBe(false)
  })
})

test("a reader that closes the pipe does not turn a failure into success", async () => {
  const broken = tamper(at("release"), at("broken"), ({ manifest }) => {
    manifest.seeded = true
  })
  const shell = 'set -o pipefail; "$@" | true'
  expect((await runCli(["verify", broken], { shell })).code).toBe(1)
})
