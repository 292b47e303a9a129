import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { aolText, marker, timeAfter } from "../support/aol-log.ts"
import { expectDiscreet, expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { zooLog } from "../support/zoo-log.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(zooLog()))

describe("anonymize wordnet", () => {
  test("releases concepts, which verify and measure with the audit", async () => {
    const made = await runCli([
      "anonymize",
      "wordnet",
      log,
      "-k",
      "3",
      "-o",
      at("zoo"),
      "--audit",
      at("audit"),
      "--json",
    ])
    expectDiscreet(made)
    expect(made.code).toBe(0)
    expect(JSON.parse(made.stdout)).toMatchObject({ manifest: { guarantee: { model: "generalisation", k: 3 } } })
    const verified = await runCli(["verify", at("zoo"), "--against", log, "--audit", at("audit"), "--json"])
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: "passed" })
    const measured = await runCli(["measure", at("zoo"), "--against", log, "--audit", at("audit"), "--json"])
    expect(measured.stdout).toMatch(/"ncp"/)
    expectDiscreet(verified)
    expectDiscreet(measured)
  })

  test.each(["tsv", "csv", "jsonl", "parquet"])(
    "leaves no text of the log in the release or its receipt: %s",
    async (to) => {
      for (const k of ["3", "100"]) {
        const folder = fresh()
        const result = await runCli(["anonymize", "wordnet", log, "-k", k, "-o", folder, "--to", to])
        expectDiscreet(result)
        expect(result.code).toBe(k === "3" ? 0 : 4)
        const files = [`${folder}.receipt.json`, ...readdirSync(folder).map((name) => `${folder}/${name}`)]
        for (const file of files)
          for (const text of [marker, "toy poodle", "my cats", "the weather"])
            expect(readFileSync(file).includes(text)).toBe(false)
      }
    },
  )

  test("releases nothing, and says so, when the log has fewer than k users", async () => {
    const single = write(aolText([{ user: "1", query: `dogs ${marker}`, time: timeAfter(0) }]))
    const folder = fresh()
    const result = await runCli(["anonymize", "wordnet", single, "-k", "2", "-o", folder, "--audit", `${folder}-audit`])
    expectDiscreet(result)
    expect([result.code, result.stderr]).toEqual([4, expect.stringContaining("Nothing can be released with k = 2")])
    const verified = await runCli(["verify", folder, "--against", single, "--audit", `${folder}-audit`])
    expect(verified.code).toBe(0)
  })

  test.each(["0", "-1", "2.5", "many"])("refuses k = %s", async (k) => {
    expectRefused(await runCli(["anonymize", "wordnet", log, "-k", k, "-o", fresh()]), { code: 2, message: /k/ })
  })

  test("verify ends with 3 without the audit and says what it needs; with an empty audit, it ends with 1", async () => {
    const folder = fresh()
    await runCli(["anonymize", "wordnet", log, "-k", "3", "-o", folder])
    const open = await runCli(["verify", folder, "--against", log])
    expect([open.code, open.stdout]).toEqual([3, expect.stringContaining("needs --audit")])
    expectRefused(await runCli(["verify", folder, "--against", log, "--audit", at("nowhere")]), {
      code: 1,
      message: /--audit/,
    })
  })

  test("is explained by --help", async () => {
    const { code, stdout } = await runCli(["anonymize", "wordnet", "--help"])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/require this many users of a concept/)])
  })
})
