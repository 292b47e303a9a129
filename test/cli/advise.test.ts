import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { whenAppears } from "../support/when-appears.ts"

const { at, fresh } = scratchFolder()
const log = at("a made-up log.tsv")
const temporary = at("temporary")
const methods = ["--methods", "equality,counts", "--targets", "60", "--use", "queries", "--workers", "1"]

beforeAll(async () => {
  mkdirSync(temporary)
  await synthLog(log, { rows: 8000, users: 200 })
})

afterEach(() => vi.unstubAllEnvs())

describe("queryveil advise", () => {
  test("names a command that makes a release, says why, and what it did not check; a sample leaves nothing behind", async () => {
    const args = ["advise", log, ...methods, "--max-risk", "0.9", "--sample", "5000", "--json"]
    vi.stubEnv("TMPDIR", temporary)
    const { code, stdout, stderr } = await runCli(args)
    expect([code, stderr]).toEqual([0, ""])
    const answer = JSON.parse(stdout)
    expect(answer.reasons).toHaveLength(3)
    expect(answer.sample.rows).toBeLessThanOrEqual(5000)
    expect(answer.sample).toMatchObject({ ofRows: 8000, ofUsers: 200 })
    expect(answer.notChecked[0]).toContain("The whole log")
    expect(answer.notChecked.join(" ")).toContain(
      "secrets finds is in the report of a release and does not count as risk",
    )
    expect(answer.chosen.risk.high).toBeLessThanOrEqual(0.9)
    expect(readdirSync(temporary)).toEqual([])
    const made = await runCli([], { cwd: at(), shell: answer.command.replace(/^queryveil/, '"$@"') })
    expect([made.code, existsSync(at("release/release.json"))]).toEqual([0, true])
  })

  test("says that none fits, shows the safest, ends with 3, and keeps the study where it is told to", async () => {
    const folder = fresh()
    const args = ["advise", log, ...methods, "--methods", "equality", "--max-risk", "0", "-o", folder]
    const { code, stdout } = await runCli(args)
    expect(code).toBe(3)
    expect(stdout).toMatch(/^No release stays within a risk of 0/)
    expect(stdout).toMatch(/safest was equality with k/)
    expect(stdout).not.toContain("queryveil anonymize")
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["index.html", "points", "study.json"]))
  })

  test("says what the command needs once more on the standard input, and takes no file for a flag", async () => {
    copyFileSync(log, at("-log.tsv"))
    const args = ["advise", ...methods, "--methods", "equality", "--max-risk", "0.9", "--", "-", "-log.tsv"]
    const { code, stdout } = await runCli(args, { cwd: at(), stdin: readFileSync(log) })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^queryveil anonymize equality - \.\/-log\.tsv -k \d+ --max-risk 0\.9 -o release\n\(-: give it the same log once more\)$/m,
    )
  })

  test("interrupted ends with 130 and leaves nothing behind", async () => {
    const { child, ended } = startCli(["advise", log, ...methods], { shell: `TMPDIR='${temporary}' exec "$@"` })
    await whenAppears(temporary, /^queryveil-advise-/, ended)
    child.kill("SIGINT")
    expect((await ended).code).toBe(130)
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe("what cannot be advised on", () => {
  test.each([
    ["an unknown use", ["--use", "fun"]],
    ["an unknown method", ["--methods", "magic"]],
    ["a risk over 1", ["--max-risk", "2"]],
  ])("%s is refused with 2", async (_name, flags) => {
    expect((await runCli(["advise", join(at(), "no-such-log"), ...flags])).code).toBe(2)
  })
})
