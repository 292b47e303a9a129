import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { whenAppears } from "../support/when-appears.ts"

const { at, fresh } = scratchFolder()
const log = at("a synthetic log.tsv")
const temporary = at("temporary")
const methods = ["--methods", "equality,counts", "--targets", "60", "--use", "queries", "--workers", "1"]

beforeAll(async () => {
  mkdirSync(temporary)
  await synthLog(log, { rows: 8000, users: 200 })
})

afterEach(() => vi.unstubAllEnvs())

describe("queryveil advise", () => {
  test("prints a command, its reasons and what was not checked, and removes its sample", async () => {
    const args = ["advise", log, ...methods, "--max-risk", "0.9", "--sample", "5000", "--json"]
    vi.stubEnv("TMPDIR", temporary)
    const { code, stdout, stderr } = await runCli(args)
    expect([code, stderr]).toEqual([0, ""])
    const answer = JSON.parse(stdout)
    expect(answer.reasons).toHaveLength(3)
    expect(answer.sample.rows).toBeLessThanOrEqual(5000)
    expect(answer.sample).toMatchObject({ ofRows: 8000, ofUsers: 200 })
    expect(answer.notChecked[0]).toContain("The whole log")
    expect(answer.notChecked.join(" ")).toContain("what the attack secrets finds does not count as risk")
    expect(answer.chosen.risk.high).toBeLessThanOrEqual(0.9)
    expect(readdirSync(temporary)).toEqual([])
    const made = await runCli([], { cwd: at(), shell: answer.command.replace(/^queryveil/, '"$@"') })
    expect([made.code, existsSync(at("release/release.json")), existsSync(at("release.audit"))]).toEqual([
      0,
      true,
      true,
    ])
    const { method, parameters } = JSON.parse(readFileSync(at("release/release.json"), "utf8"))
    expect({ method, parameters }).toMatchObject({ method: answer.chosen.method, parameters: answer.chosen.parameters })
  })

  test("names the safest release if none is within the bound, exits with 3, and keeps the study in -o", async () => {
    const folder = fresh()
    const args = ["advise", log, ...methods, "--methods", "equality", "--max-risk", "0", "-o", folder]
    const { code, stdout } = await runCli(args)
    expect(code).toBe(3)
    expect(stdout).toMatch(/^No release with a risk of at most 0/)
    expect(stdout).toMatch(/safest was equality with k/)
    expect(stdout).not.toContain("queryveil anonymize")
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["index.html", "points", "study.json"]))
  })

  test("says that the command needs the standard input again, and does not take a file for a flag", async () => {
    copyFileSync(log, at("-log.tsv"))
    const args = ["advise", ...methods, "--methods", "equality", "--max-risk", "0.9", "--", "-", "-log.tsv"]
    const { code, stdout } = await runCli(args, { cwd: at(), stdin: readFileSync(log) })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^queryveil anonymize equality - \.\/-log\.tsv -k \d+ --max-risk 0\.9 -o release --audit /m)
    expect(stdout).toContain(" --audit release.audit\n(- reads the standard input: give it the same log again)\n")
  })

  test("prints every parameter, also defaults, and how the log was read", async () => {
    const csv = at("export.csv")
    const rows = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"))
    writeFileSync(
      csv,
      `${["who;what;when", ...rows.map(([who, what, when]) => `${who};${what};${when}`)].join("\n")}\n`,
    )
    const reading = ["--columns", "user=who,query=what,time=when", "--unit", "session"]
    const args = [
      "advise",
      csv,
      ...reading,
      "--methods",
      "affinity",
      "--targets",
      "30",
      "--max-risk",
      "1",
      "--use",
      "queries",
    ]
    const { code, stdout } = await runCli(args)
    expect(code).toBe(0)
    const command = stdout.split("\n").find((line) => line.startsWith("queryveil anonymize"))
    expect(command).toMatch(
      /affinity .*export\.csv --columns user=who,query=what,time=when --unit session -k 10 --max-risk 1 /,
    )
    const target = at("elsewhere")
    mkdirSync(target)
    const made = await runCli([], { cwd: target, shell: (command ?? "").replace(/^queryveil/, '"$@"') })
    expect([made.code, existsSync(join(target, "release/release.json"))]).toEqual([0, true])
  })

  test("exits with 130 when it is interrupted, and leaves nothing behind", async () => {
    const { child, ended } = startCli(["advise", log, ...methods], { shell: `TMPDIR='${temporary}' exec "$@"` })
    await whenAppears(temporary, /^queryveil-advise-/, ended)
    child.kill("SIGINT")
    expect((await ended).code).toBe(130)
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe("queryveil advise with wrong options", () => {
  test.each([
    ["an unknown use", ["--use", "fun"]],
    ["an unknown method", ["--methods", "magic"]],
    ["a risk over 1", ["--max-risk", "2"]],
  ])("refuses %s, with exit code 2", async (_name, flags) => {
    expect((await runCli(["advise", join(at(), "no-such-log"), ...flags])).code).toBe(2)
  })
})
