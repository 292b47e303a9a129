import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh } = scratchFolder()
const here = fresh("here")
mkdirSync(here)

describe("queryveil samples", () => {
  test("copies the sample files, which the commands of the README take", async () => {
    const { code, stdout } = await runCli(["samples", "-o", "samples", "--json"], { cwd: here })
    expect(code).toBe(0)
    const { files } = JSON.parse(stdout)
    expect(readdirSync(join(here, "samples")).sort()).toEqual(files)
    const expose = ["--taxonomy", "taxonomy.tsv", "--profile", "profile.json", "--topics", "topics.json"]
    const shown = await runCli(["personal", "expose", ...expose, "--sensitive", "sensitive.json", "--delta", "0.1"], {
      cwd: join(here, "samples"),
    })
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^Home\/Celebrations\/Parties$/m)])
    expect(shown.stdout).not.toMatch(/^Society\/Politics$/m) // sensitive topics are not shown
    for (const log of [["searches.csv"], ["ubi_queries.ndjson", "ubi_events.ndjson"]]) {
      const paths = log.map((name) => join(here, "samples", name))
      const released = await runCli(["anonymize", "equality", ...paths, "-k", "5", "-o", fresh(), "--json"])
      expect(released.code).toBe(0)
      expect(JSON.parse(released.stdout).receipt.released.rows).toBeGreaterThan(100)
    }
  })

  test("replaces files only with --force, and only its own", async () => {
    const folder = at("taken")
    mkdirSync(folder)
    writeFileSync(join(folder, "taxonomy.tsv"), "mine")
    writeFileSync(join(folder, "other.txt"), "mine too")
    expectRefused(await runCli(["samples", "-o", folder]), { code: 1, message: /taxonomy\.tsv: already exists/ })
    expect(readdirSync(folder).sort()).toEqual(["other.txt", "taxonomy.tsv"]) // nothing was started
    expect(readFileSync(join(folder, "taxonomy.tsv"), "utf8")).toBe("mine")
    expect((await runCli(["samples", "-o", folder, "--force"])).code).toBe(0)
    expect(readFileSync(join(folder, "taxonomy.tsv"), "utf8")).not.toBe("mine")
    expect(readFileSync(join(folder, "other.txt"), "utf8")).toBe("mine too")
    rmSync(folder, { recursive: true })
  })
})
