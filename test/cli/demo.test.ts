import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { outsideLinks } from "../support/markup.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at } = scratchFolder()

describe("queryveil demo", () => {
  test("answers in JSON and leaves pages that need nothing from elsewhere, about a release that holds", {
    timeout: 240_000,
  }, async () => {
    const folder = at("demo")
    const { code, stdout, stderr } = await runCli(["demo", "-o", folder, "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toEqual({ folder, index: `${folder}/index.html` })
    const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
    for (const name of ["index.html", "report.html", "study-equality/index.html"]) {
      expect(outsideLinks(read(name))).toEqual([])
    }
    for (const [, link] of read("index.html").matchAll(/href="([^"#]+)"/g)) expect(read(link)).not.toBe("")
    expect(read("report.html")).toContain("Every check holds.")
  })
})
