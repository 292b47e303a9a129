import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { spendBudget } from "queryveil/release"
import { describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { busyTown } from "./busy-town.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()), "log.tsv")
const anonymize = (out: string, ...flags: string[]) => runCli(["anonymize", "counts", log, "-o", out, ...flags])

describe("--ledger", () => {
  const small = ["--epsilon", "0.1", "--delta", "1e-6", "--split", "1,0,0"]

  test("counts what releases cost and refuses the one that would overspend, before anything is written", async () => {
    const file = at("ledger.json")
    for (let i = 0; i < 3; i++) {
      const budget = i === 0 ? ["--budget", "0.3"] : [] // 0.1 + 0.1 + 0.1 is 0.3, exactly
      expect(await anonymize(fresh("out"), ...small, "--ledger", file, ...budget)).toMatchObject({ code: 0 })
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, "utf8")).not.toContain(marker)
    const before = readFileSync(file, "utf8")
    const out = fresh("refused")
    const { code, stderr } = await anonymize(out, ...small, "--ledger", file)
    expect(code).toBe(1)
    expect(stderr).toContain("3/10 of the budget 3/10 is spent")
    expect(readFileSync(file, "utf8")).toBe(before)
    expect(() => statSync(out)).toThrow()
  })

  test("lets only one of two runs spend what is left", async () => {
    const file = at("race.json")
    const flags = [...small, "--ledger", file, "--ledger-name", "the log", "--budget", "0.15"]
    const runs = await Promise.all([1, 2].map(() => anonymize(fresh("out"), ...flags)))
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(JSON.parse(readFileSync(file, "utf8")).logs["the log"].spent).toHaveLength(1)
  })

  test.each([
    ["not json", "is not JSON"],
    ['{"queryveil":1,"logs":{"x":{"budget":"-1","spent":[]}}}', "is no ledger"],
  ])("is not written over when it is broken: %s", async (text, why) => {
    const file = write(text, "broken.json")
    const { code, stderr } = await anonymize(fresh("out"), ...small, "--ledger", file, "--budget", "1")
    expect(code).toBe(1)
    expect(stderr).toContain(why)
    expect(readFileSync(file, "utf8")).toBe(text)
  })

  test("keeps the budget that was first said", async () => {
    const file = at("fixed.json")
    writeFileSync(file, JSON.stringify({ queryveil: 1, logs: { mine: { budget: "1", spent: [] } } }))
    const flags = ["--ledger", file, "--ledger-name", "mine", "--budget", "2"]
    const { code, stderr } = await anonymize(fresh("out"), ...small, ...flags)
    expect(code).toBe(1)
    expect(stderr).toContain("the budget of this log is 1, not 2")
  })

  test("may not lie in the release that it pays for, where the next --force would forget what was spent", async () => {
    const out = fresh("out")
    await anonymize(out, ...small)
    const flags = [...small, "--force", "--ledger", `${out}/ledger.json`, "--budget", "1"]
    const { code, stderr } = await anonymize(out, ...flags)
    expect([code, stderr]).toEqual([2, expect.stringContaining("must not lie in the release")])
    const elsewhere = await anonymize(fresh("other"), ...flags)
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining("lies inside a release")])
  })

  test.each(["constructor", "__proto__"])("keeps a log that its owner calls %s", async (log) => {
    const file = at("odd.json")
    const cost = { release: "", epsilon: "1", delta: "0", created: "" }
    expect(await spendBudget({ file, log, budget: "1" }, cost)).toEqual({ spent: "1", budget: "1" })
    await expect(spendBudget({ file, log }, cost)).rejects.toThrow("1 of the budget 1 is spent")
  })

  test("is not charged for a release that the disk has no room for", async () => {
    const file = at("unpaid.json")
    const town = write(aolText(busyTown()), "town.tsv")
    const flags = ["--epsilon", "30", "--delta", "1e-6", "--ledger", file, "--ledger-name", "town", "--budget", "30"]
    const out = fresh("out")
    const args = ["anonymize", "counts", town, "-o", out, ...flags]
    const { code, stderr } = await runCli(args, { shell: 'ulimit -f 1; exec "$@"' })
    expect([code, stderr]).toEqual([1, expect.stringContaining("disk is full")])
    expect(existsSync(file)).toBe(false)
    expect(await runCli(args)).toMatchObject({ code: 0 })
  })
})
