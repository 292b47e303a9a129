import { readFileSync, statSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { eaglesDump, tableTwo } from "../taxonomy/eagles-dump.ts"
import { sampleTree } from "./sample-tree.ts"

const { write, at } = scratchFolder()
const { path: sample } = sampleTree()
const dump = write(eaglesDump(), "content.rdf.u8")

describe("queryveil personal map", () => {
  test("gives Table 2 of Shou et al. 2014: 5/11, 3/11, 2/11, 1/11", async () => {
    const { code, stdout } = await runCli(["personal", "map", "Eagles", "--taxonomy", dump, "--json"])
    expect(code).toBe(0)
    const { by, pages, topics } = JSON.parse(stdout)
    expect({ by, pages }).toEqual({ by: "pages", pages: 11 })
    expect(topics.map(({ probability }: { probability: number }) => probability)).toEqual([
      5 / 11,
      3 / 11,
      2 / 11,
      1 / 11,
    ])
    expect(topics.map(({ path }: { path: string }) => path)).toEqual(Object.keys(tableTwo))
  })

  test("finds the same in an imported file, and says that it used pages", async () => {
    const imported = await runCli(["taxonomy", "import", dump, "-o", at("eagles.taxonomy")])
    expect(imported.stdout).toContain("16 pages")
    const { stdout } = await runCli(["personal", "map", "eagles", "--taxonomy", at("eagles.taxonomy")])
    expect(stdout).toMatch(/Arts\/Music\/Artists\/Eagles +5 +0\.4545/)
    expect(stdout).toContain("Topics were found by 11 pages of the taxonomy")
  })

  test("writes a file for personal expose that only its owner can read", async () => {
    const topics = at("Q.json")
    await runCli(["personal", "map", "-", "--taxonomy", dump, "-o", topics], { stdin: "eagles\n" })
    expect(JSON.parse(readFileSync(topics, "utf8"))).toEqual(tableTwo)
    expect(statSync(topics).mode & 0o777).toBe(0o600)
    const profile = write(JSON.stringify({ "Arts/Music/Artists/Eagles": 4, "Arts/Music/Artists/Queen": 1 }))
    const sensitive = write(JSON.stringify({ "Arts/Music/Artists/Queen": 1 }))
    const files = ["--profile", profile, "--topics", topics, "--sensitive", sensitive]
    const { stdout } = await runCli(["personal", "expose", "--taxonomy", dump, ...files, "--delta", "1", "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "exposed", queryClass: "ambiguous" })
  })

  test("uses names if a taxonomy has no pages, and says so", async () => {
    const { stdout } = await runCli(["personal", "map", "eagles", "--taxonomy", sample])
    expect(stdout).toContain("Topics were found by their names and texts")
    expect((await runCli(["personal", "map", "zzzz", "--taxonomy", sample])).stdout).toContain("retrieves no topic")
  })
})
