import { existsSync, readFileSync, statSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at } = scratchFolder()
const log = at("log.tsv")

const attacks: Record<string, string[]> = {
  rows: ["attack", at("rows"), "--only", "membership,secrets"],
  counts: ["attack", at("counts"), "--only", "membership,dp-audit", "--trials", "40"],
}
const measured = ["measure", at("rows"), "--only", "events-kept,top-queries"]

beforeAll(async () => {
  await synthLog(log, { rows: 6000, users: 300 })
  const made = await Promise.all([
    runCli(["anonymize", "equality", log, "-k", "2", "-o", at("rows")]),
    runCli([
      "anonymize",
      "counts",
      log,
      "--epsilon",
      "1000",
      "--delta",
      "1e-2",
      "--min-users",
      "2",
      "--max-queries",
      "5",
      "-o",
      at("counts"),
    ]),
  ])
  expect(made.map(({ code }) => code)).toEqual([0, 0])
})

/** What a command writes to a file, and what it prints on stdout. */
async function answerOf(args: readonly string[], file: string) {
  const { code, stdout } = await runCli([...args, "--against", log, "--json", "-o", at(file)])
  expect(code).toBe(0)
  return { written: readFileSync(at(file), "utf8"), said: stdout }
}

describe("attack and measure", () => {
  test.each(Object.entries(attacks))(
    "of %s give the same bytes again, and others with another seed",
    async (_, args) => {
      const first = await answerOf(args, "first.json")
      const again = await answerOf(args, "again.json")
      const other = await answerOf([...args, "--seed", "2"], "other.json")
      expect(again.written).toBe(first.written)
      const scoresOf = ({ written }: typeof first) => JSON.stringify(JSON.parse(written).outcomes)
      expect(scoresOf(other)).not.toBe(scoresOf(first))
    },
  )

  test("find the same alone as among others", async () => {
    const both = JSON.parse((await answerOf(attacks.rows ?? [], "both.json")).written)
    const alone = JSON.parse((await answerOf(["attack", at("rows"), "--only", "membership"], "alone.json")).written)
    expect(both.outcomes).toContainEqual(alone.outcomes[0])
  })

  test("write their answer and its origin, for the owner only", async () => {
    const { written, said } = await answerOf(measured, "measured.json")
    expect(written).toBe(said)
    const { id } = JSON.parse(readFileSync(at("rows/release.json"), "utf8"))
    expect(JSON.parse(written)).toMatchObject({
      queryveil: expect.stringMatching(/^\d+\.\d+\.\d+/),
      method: "equality",
      release: id,
      seed: 1,
      log: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
    expect(statSync(at("measured.json")).mode & 0o777).toBe(0o600)
  })

  test("say in their help which releases they look at", async () => {
    const { stdout } = await runCli(["attack", "--help"])
    expect(stdout).toMatch(/^ {2}membership +any /m)
    expect(stdout).toMatch(/^ {2}dp-audit +tables /m)
    expect(stdout).toMatch(/^ {2}linkage +rows /m)
  })
})

describe("verify, attack and measure", () => {
  test.each([["verify", at("rows")], attacks.rows ?? [], measured])(
    "%s writes no answer into the release",
    async (...args) => {
      const { code } = await runCli([...args, "--against", log, "-o", at("rows/answer.json")])
      expect(code).not.toBe(0)
      expect(existsSync(at("rows/answer.json"))).toBe(false)
    },
  )

  test("verify writes its answer", async () => {
    const { written, said } = await answerOf(["verify", at("rows")], "checks.json")
    expect(written).toBe(said)
    expect(JSON.parse(written)).toMatchObject({ state: "passed", method: "equality" })
  })
})
