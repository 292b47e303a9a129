import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()
const log = at("log.tsv")

const release = (folder: string, ...words: string[]) =>
  runCli(["anonymize", "equality", log, "-o", at(folder), "--audit", at(`${folder}.audit`), ...words])

describe("anonymize --max-risk", () => {
  test("attacks a release first, and writes nothing if it may be linked more often than allowed", async () => {
    await runCli(["synth", "-o", log, "--rows", "20000", "--users", "400"])
    const raw = ["-k", "1", "--users", "pseudonym", "--scrub", "none"]
    const refused = await release("raw", ...raw, "--max-risk", "0.05")
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/profile\/name gained 0\.\d+ over a guess .*Nothing was written/)
    expect([at("raw"), at("raw.audit"), at("raw.receipt.json")].filter(existsSync)).toEqual([])

    const taken = await release("taken", ...raw, "--max-risk", "1", "--json")
    expect(taken.code).toBe(0)
    const { risk } = JSON.parse(taken.stdout)
    expect(risk.value).toBeGreaterThan(0.05)
    // What it reports is what `attack` finds in the written release.
    const words = ["attack", at("taken"), "--against", log, "--audit", at("taken.audit"), "--only", "profile", "--json"]
    const { outcomes } = JSON.parse((await runCli(words)).stdout)
    const { value, baseline } = outcomes[0].scores.find(({ name }: { name: string }) => name === risk.attack)
    expect(risk.value).toBeCloseTo((value - baseline) / (1 - baseline), 12)
  })

  test("refuses a release that cannot be attacked, instead of calling it safe", async () => {
    const { code, stderr } = await release("empty", "-k", "100000", "--max-risk", "1")
    expect(code).toBe(1)
    expect(stderr).toContain("risk is not known")
    expect(existsSync(at("empty"))).toBe(false)
  })
})
